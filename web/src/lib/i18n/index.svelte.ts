// Every string of the pages. English is the table others follow; another language is loaded when it is chosen.
import { en } from "./en";

export type Table = Record<keyof typeof en, string>;
export type Key = keyof typeof en | (string & {});
export type Language = "en" | "fr";

let table: Table = $state.raw(en);
let language: Language = $state("en");

/** The text for a key, with its parameters put in; the key itself where nobody wrote one. */
export function t(key: Key, parameters?: Record<string, string | number>): string {
  const text = (table as Record<string, string>)[key] ?? (en as Record<string, string>)[key] ?? key;
  if (parameters === undefined) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole));
}

/** Whether the table has a text for a key that came from the server. */
export function has(key: string): boolean {
  return key in en;
}

/** The language to use: the one chosen, or the first of the browser's that we speak. */
export function resolve(chosen: "system" | Language, preferred: readonly string[]): Language {
  if (chosen !== "system") return chosen;
  const known = preferred.map((tag) => tag.slice(0, 2)).find((tag) => tag === "en" || tag === "fr");
  return (known as Language | undefined) ?? "en";
}

export async function speakLanguage(wanted: Language): Promise<void> {
  table = wanted === "fr" ? (await import("./fr")).fr : en;
  language = wanted;
  document.documentElement.lang = wanted;
}

/** A number with so many decimals at most. */
export function decimal(value: number, most = 1): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: most })
    .format(value)
    .replace("-", "\u2212");
}

/** A share of 100 with one decimal. */
export function percent(value: number): string {
  const figures = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(language, { style: "percent", ...figures }).format(value / 100);
}

/** Whether a number of things is in the singular, as none of them is in French. */
export function isOne(count: number): boolean {
  return new Intl.PluralRules(language).select(count) === "one";
}

/** A date and time as people write them where the browser is at home. */
export function dateTime(iso: string): string {
  const where = navigator.languages.find((tag) => tag.startsWith(language)) ?? language;
  return new Intl.DateTimeFormat(where, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}
