// Where one is in the app.
import { parse, type Route } from "../routes";

class Router {
  /** Where the last visit went. Going to the same address again is another visit: the page may have changed it since. */
  route: Route = $state.raw(here());

  constructor() {
    addEventListener("popstate", () => (this.route = here()));
  }

  go(url: string): void {
    history.pushState(null, "", url);
    this.route = here();
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

function here(): Route {
  return parse(location.pathname, new URLSearchParams(location.search));
}

export const router = new Router();
