// What a person likes. Each browser keeps its own, so that the first frame is right and a phone does not dim a laptop;
// the server has the last ones that were chosen, for a browser that knows none.
import { api } from "../api";
import { resolve, speakLanguage } from "../i18n/index.svelte";
import type { Settings } from "../protocol";
import { variables } from "../themes";

const Key = "damier.settings";
export const defaults: Settings = {
  theme: "system",
  board: "wood",
  pieces: "classic",
  sounds: true,
  coordinates: true,
  language: "system",
  large_type: false,
  animation: true,
  destinations: true,
  line_counts: false,
  groups: true,
  variant: "chess",
  side: "random",
  opponent: { kind: "level", level: 3 },
  clock: null,
  engine: { kind: "engine" },
  multipv: 3,
  threads: 1,
  hash: 64,
};

class SettingsStore {
  current: Settings = $state.raw(defaults);
  /** How a board that is played on looks. */
  readonly ofBoard = $derived({
    labels: this.current.coordinates,
    destinations: this.current.destinations,
    showGroups: this.current.groups,
    showCounts: this.current.line_counts,
    animate: this.current.animation,
  });
  /** Why the last change was not kept, if it was not. */
  failed: boolean = $state(false);
  private readonly prefersDark = matchMedia("(prefers-color-scheme: dark)");
  private saving: ReturnType<typeof setTimeout> | undefined;
  private own = false;

  constructor() {
    try {
      const kept = localStorage.getItem(Key);
      this.current = { ...defaults, ...(JSON.parse(kept ?? "{}") as Partial<Settings>) };
      this.own = kept !== null;
    } catch {
      // A damaged copy is as good as none: the server has the settings.
    }
    addEventListener("pagehide", () => this.saving !== undefined && this.save());
    this.prefersDark.addEventListener("change", () => this.apply());
    addEventListener("languagechange", () => this.apply());
    addEventListener("storage", (event) => {
      if (event.key !== Key || !event.newValue) return;
      this.current = { ...defaults, ...(JSON.parse(event.newValue) as Partial<Settings>) };
      this.apply();
    });
  }

  /** The settings as the server has them, for a browser that has none of its own. */
  async load(): Promise<void> {
    if (this.own) return;
    try {
      const kept = await api.settings();
      if (this.own) return; // something was changed meanwhile
      this.current = { ...defaults, ...kept };
      this.apply();
      this.remember();
    } catch {
      // Offline for a moment: this browser's copy will do.
    }
  }

  change(part: Partial<Settings>): void {
    this.own = true;
    this.current = { ...this.current, ...part };
    this.apply();
    this.remember();
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.save(), 300);
  }

  private save(): void {
    clearTimeout(this.saving);
    this.saving = undefined;
    api.saveSettings(this.current).then(
      () => (this.failed = false),
      () => (this.failed = true),
    );
  }

  /** Put the settings on the page. */
  apply(): Promise<void> {
    const root = document.documentElement;
    const { theme, board, pieces, large_type, language } = this.current;
    const dark = theme === "dark" || (theme === "system" && this.prefersDark.matches);
    root.dataset.theme = dark ? "dark" : "light";
    root.dataset.type = large_type ? "large" : "normal";
    for (const [name, value] of Object.entries(variables(board, pieces))) root.style.setProperty(name, value);
    return speakLanguage(resolve(language, navigator.languages));
  }

  private remember(): void {
    try {
      localStorage.setItem(Key, JSON.stringify(this.current));
    } catch {
      // Storage may be full or forbidden; the server keeps the settings anyway.
    }
  }
}

export const settings = new SettingsStore();
