// Short messages that go away by themselves.
import { has, t } from "../i18n/index.svelte";
import { announcer } from "./announcer.svelte";
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
  const { code, message } = asRefused(error);
  return has(`error.${code}`) ? t(`error.${code}`, { message }) : message;
}

export const toasts = new Toasts();
