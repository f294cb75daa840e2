// Short messages that go away by themselves.
import { has, t } from "../i18n/index.svelte";
import { announcer } from "./announcer.svelte";
import type { Refused } from "../socket";
import { asRefused } from "./live.svelte";

export type Toast = { id: number; text: string; tone: "info" | "bad" };

class Toasts {
  list: Toast[] = $state.raw([]);
  private counter = 0;

  show(text: string, tone: Toast["tone"] = "info"): void {
    const id = ++this.counter;
    this.list = [...this.list.slice(-2), { id, text, tone }];
    announcer.say(text);
    setTimeout(() => this.close(id), tone === "bad" ? 8000 : 4000);
  }

  close(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  /** Say what went wrong, in the person's language where we have the words. */
  fail(error: unknown): void {
    this.show(failureText(error), "bad");
  }
}

export function failureText(error: unknown): string {
  return sentence(asRefused(error));
}

/** What was refused, by the sentence for its detail, or for its code. */
export function sentence(failure: Pick<Refused, "code" | "message" | "detail" | "about">): string {
  const { code, message, detail, about } = failure;
  const side: Record<string, string> = about.side === undefined ? {} : { side: t(`side.${about.side}`) };
  const key = [`detail.${detail ?? ""}`, `error.${code}`].find(has);
  const text = key === undefined ? message : t(key, { message, ...about, ...side });
  return about.line === undefined ? text : t("import.line", { line: about.line, message: text });
}

export const toasts = new Toasts();
