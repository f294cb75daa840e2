// A game that is open: its state as the server last told it, and which of its positions is shown.
import { index, lineThrough, pathTo } from "../format/tree";
import { t } from "../i18n/index.svelte";
import type {
  ClientMessage,
  Game,
  GameMessage,
  HintMessage,
  LegalMove,
  Line,
  Position,
  PositionMessage,
  Side,
} from "../protocol";
import { Refused, type Unnumbered } from "../socket";
import { announcer } from "./announcer.svelte";
import { asRefused, live } from "./live.svelte";
import { toasts } from "./toasts.svelte";

export type NodeChange = { comment?: string; glyph?: number; promote?: boolean; delete?: boolean };

export class GameStore {
  game: Game | null = $state.raw(null);
  failure: Refused | null = $state.raw(null);
  /** When the clocks of `game` were received. */
  received: number = $state(0);
  hint: Line | null = $state.raw(null);
  hinting: boolean = $state(false);
  busy: boolean = $state(false);
  /** The node that is shown when it is not the current one. */
  private viewedId: number | null = $state(null);
  private viewedPosition: Position | null = $state.raw(null);
  private positions = new Map<number, Position>();
  private silence: () => void;
  private ended = false;

  readonly nodes = $derived(this.game?.tree ?? []);
  readonly start: string | null = $derived(this.game?.start ?? null);
  readonly tree = $derived(this.game ? index(this.game.tree) : null);
  readonly shownId = $derived(this.viewedId ?? this.game?.current ?? 0);
  readonly atCurrent = $derived(this.viewedId === null || this.viewedId === this.game?.current);
  readonly position: Position | null = $derived(
    this.atCurrent ? (this.game?.position ?? null) : this.viewedPosition,
  );
  readonly line = $derived(this.tree ? lineThrough(this.tree, this.shownId) : []);
  readonly variant = $derived(this.game ? live.variant(this.game.variant) : null);
  /** The sides that are played on this screen. */
  readonly own: Side[] = $derived(
    (["white", "black"] as const).filter((side) => this.game?.[side].opponent.kind === "human"),
  );
  readonly myTurn = $derived(
    this.game !== null && this.game.outcome === null && this.own.includes(this.game.position.turn),
  );

  constructor(
    readonly id: string,
    private readonly onchange: (message: GameMessage, before: Game | null) => void = () => {},
  ) {
    this.silence = live.socket.listen((message) => {
      if (message.type === "game" && message.game.id === this.id) this.take(message);
      else if (message.type === "clock" && message.game === this.id && this.game) {
        this.game = { ...this.game, clock: message.clock };
        this.received = performance.now();
      } else if (message.type === "deleted" && message.game === this.id) {
        this.failure = new Refused("unknown_game", "this game was deleted");
      } else if (message.type === "hello" && this.game) void this.open(); // a new line: the server must know us again
    });
    void this.open();
  }

  async open(): Promise<void> {
    try {
      await live.socket.ask({ type: "open", game: this.id });
      this.failure = null;
    } catch (error) {
      if (!this.ended) this.failure = asRefused(error);
    }
  }

  close(): void {
    this.ended = true;
    this.silence();
    if (live.status === "open") live.socket.ask({ type: "close", game: this.id }).catch(() => {});
  }

  /** Ask for something that changes the game; what went wrong is shown, and the board goes back to the truth. */
  async act(message: Unnumbered<ClientMessage>): Promise<GameMessage | null> {
    this.busy = true;
    try {
      return await live.socket.ask<GameMessage>(message);
    } catch (error) {
      const refused = asRefused(error);
      if (refused.game?.id === this.id)
        this.take({ type: "game", request: 0, game: refused.game, event: "state", added: null });
      else if (this.game) this.game = { ...this.game, position: { ...this.game.position } };
      toasts.fail(refused);
      return null;
    } finally {
      this.busy = false;
    }
  }

  play(move: LegalMove): void {
    if (this.game) void this.act({ type: "move", game: this.id, node: this.game.current, move: move.move });
  }

  async askHint(): Promise<void> {
    this.hinting = true;
    try {
      const { node, line } = await live.socket.ask<HintMessage>({ type: "hint", game: this.id });
      if (this.game?.current !== node) return;
      this.hint = line;
      announcer.say(t("play.hint_is", { move: line.san[0] ?? "" }));
    } catch (error) {
      toasts.fail(error);
    } finally {
      this.hinting = false;
    }
  }

  /** Show the position after a node. */
  async show(id: number): Promise<void> {
    const game = this.game;
    if (!game || !this.tree) return;
    this.hint = null;
    if (id === game.current) {
      this.viewedId = null;
      return;
    }
    const known = this.positions.get(id);
    if (known) {
      this.viewedPosition = known;
      this.viewedId = id;
      return;
    }
    const moves = pathTo(this.tree, id).map((node) => node.move ?? "");
    try {
      const { position } = await live.socket.ask<PositionMessage>({
        type: "position",
        variant: game.variant,
        fen: game.start,
        moves,
      });
      this.positions.set(id, position);
      this.viewedPosition = position;
      this.viewedId = id;
    } catch (error) {
      toasts.fail(error);
    }
  }

  /** Go along the line that is shown: by steps, or to one of its ends. */
  go(step: "first" | "back" | "forward" | "last"): void {
    if (!this.tree) return;
    const ids = [this.tree.root.id, ...this.line.map((node) => node.id)];
    const here = ids.indexOf(this.shownId);
    const to = { first: 0, back: here - 1, forward: here + 1, last: ids.length - 1 }[step];
    const id = ids[Math.max(0, Math.min(ids.length - 1, to))];
    if (id !== undefined && id !== this.shownId) void this.show(id);
  }

  /** Add a variation after the position that is shown, and show it. */
  async add(move: LegalMove): Promise<void> {
    const known = this.tree?.children.get(this.shownId)?.find((node) => node.move === move.move);
    if (known) return this.show(known.id);
    const answer = await this.act({ type: "add", game: this.id, node: this.shownId, move: move.move });
    if (answer?.added != null) await this.show(answer.added);
  }

  /** Change a node of the tree. */
  async edit(node: number, change: NodeChange): Promise<void> {
    const parent = this.tree?.byId.get(node)?.parent ?? null;
    const answer = await this.act({ type: "edit", game: this.id, node, ...change });
    if (answer && change.delete && this.shownId === node && parent !== null) await this.show(parent);
  }

  private take(message: GameMessage): void {
    const before = this.game;
    if (before && message.game.revision < before.revision) return;
    if (before && message.game.current !== before.current) {
      this.viewedId = null;
      this.hint = null;
    }
    if (before) this.positions.set(before.current, before.position);
    this.game = message.game;
    this.received = performance.now();
    if (this.viewedId !== null && !message.game.tree.some((node) => node.id === this.viewedId))
      this.viewedId = null;
    this.onchange(message, before);
  }
}
