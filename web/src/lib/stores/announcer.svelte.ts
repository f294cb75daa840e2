// What screen readers are told. The text is cleared between two equal ones, so that both are read.

class Announcer {
  text: string = $state("");

  say(text: string): void {
    this.text = this.text === text ? `${text}\u00a0` : text;
  }
}

export const announcer = new Announcer();
