// Where one is in the app.
import { parse, type Route } from "../routes";

class Router {
  /** Where the last visit went. Going to the same address again is another visit: the page may have changed it since. */
  route: Route = $state.raw(here());

  private replacing: ReturnType<typeof setTimeout> | undefined;
  private replacement: string | null = null;

  constructor() {
    addEventListener("popstate", () => {
      this.replacement = null; // it was for the page that one has left
      this.route = here();
    });
    addEventListener("pagehide", () => this.settle());
  }

  go(url: string): void {
    this.settle();
    history.pushState(null, "", url);
    this.route = here();
    scrollTo(0, 0);
  }

  /** Change the address of the page that is shown, without a step in the history; once the hand rests, as browsers
   * take few changes in a second. */
  replace(url: string): void {
    this.replacement = url;
    clearTimeout(this.replacing);
    this.replacing = setTimeout(() => this.settle(), 250);
  }

  private settle(): void {
    clearTimeout(this.replacing);
    if (this.replacement !== null) history.replaceState(null, "", this.replacement);
    this.replacement = null;
  }

  /** Links inside the app change the page without loading it. */
  follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/")) return;
    event.preventDefault();
    if (link.hash && link.pathname === location.pathname)
      document.querySelector<HTMLElement>(link.hash)?.focus();
    else this.go(link.pathname + link.search);
  };
}

function here(): Route {
  return parse(location.pathname, new URLSearchParams(location.search));
}

export const router = new Router();
