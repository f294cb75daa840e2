// Where one is in the app.
import { parse, type Route } from "../routes";

class Router {
  url: string = $state(location.pathname + location.search);
  route: Route = $derived.by(() => {
    const { pathname, searchParams } = new URL(this.url, location.origin);
    return parse(pathname, searchParams);
  });

  constructor() {
    addEventListener("popstate", () => (this.url = location.pathname + location.search));
  }

  go(url: string): void {
    history.pushState(null, "", url);
    this.url = url;
    scrollTo(0, 0);
  }

  /** Change the address of the page that is shown, without a step in the history. */
  replace(url: string): void {
    history.replaceState(null, "", url);
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

export const router = new Router();
