// A game that is open: its state as the server last told it, and which of its positions is shown.
import { changed } from "../format/tree";
import { t } from "../i18n/index.svelte";
import { ownSides } from "../play/seats";
import type {
  ChangeMessage,
  ClientMessage,
  Game,
  HintMessage,
  LegalMove,
  Line,
  Position,
  Side,
} from "../protocol";
import { Refused, type Unnumbered } from "../socket";
import { announcer } from "./announcer.svelte";
import { asRefused, live } from "./live.svelte";
import { toasts } from "./toasts.svelte";
import { TreeStore, type NodeChange } from "./tree.svelte";

export type GameEvent = ChangeMessage["event"];

export class GameStore extends TreeStore {
  game: Game | null = $state.raw(null);
  /** When the clocks of `game` were received. */
  received: number = $state(0);
  hint: Line | null = $state.raw(null);
  hinting: boolean = $state(false);
  busy: boolean = $state(false);
  /** The node that is shown when it is not the current one. */
  private viewedId: number | null = $state(null);
  private viewedPosition: Position | null = $state.raw(null);
  private silence: () => void;
  private ended = false;

  readonly nodes = $derived(this.game?.tree ?? []);
  readonly start: string | null = $derived(this.game?.start ?? null);
  readonly shownId = $derived(this.viewedId ?? this.game?.current ?? 0);
  readonly atCurrent = $derived(this.viewedId === null || this.viewedId === this.game?.current);
  readonly position: Position | null = $derived(
    this.atCurrent ? (this.game?.position ?? null) : this.viewedPosition,
  );
  readonly variantName = $derived(this.game?.variant ?? "");
  readonly variant = $derived(this.game ? live.variant(this.game.variant) : null);
  /** The sides that are played on this screen. */
  readonly own: Side[] = $derived(this.game ? ownSides(this.game) : []);
  readonly myTurn = $derived(
    this.game !== null && this.game.outcome === null && this.own.includes(this.game.position.turn),
  );

  constructor(
    readonly id: string,
    private readonly onchange: (game: Game, before: Game | null, event: GameEvent) => void = () => {},
  ) {
    super();
    this.silence = live.socket.listen((message) => {
      if (message.type === "game" && message.game.id === this.id) this.take(message.game);
      else if (message.type === "change" && message.game.id === this.id) this.follow(message);
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

  /** Ask for something that changes the game; what went wrong is shown. */
  async act(message: Unnumbered<ClientMessage>): Promise<ChangeMessage | null> {
    this.busy = true;
    try {
      return await live.socket.ask<ChangeMessage>(message);
    } catch (error) {
      const refused = asRefused(error);
      if (refused.game?.id === this.id) this.take(refused.game);
      toasts.fail(refused);
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** Play a move where the game stands; from an earlier position that is shown, the game goes on from there. */
  async play(move: LegalMove): Promise<void> {
    if (!this.game) return;
    const node = this.shownId;
    if (!this.atCurrent && !(await this.act({ type: "branch", game: this.id, node }))) return;
    await this.act({ type: "move", game: this.id, node, move: move.move });
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

  override async show(id: number): Promise<void> {
    this.hint = null;
    if (id !== this.game?.current) return super.show(id);
    this.seeker.cancel();
    this.viewedId = null;
  }

  async add(move: LegalMove): Promise<void> {
    const known = this.childOf(this.shownId, move);
    if (known) return this.show(known.id);
    const answer = await this.act({ type: "add", game: this.id, node: this.shownId, move: move.move });
    if (answer?.added != null) await this.show(answer.added);
  }

  async edit(node: number, change: NodeChange): Promise<void> {
    const parent = this.tree?.byId.get(node)?.parent ?? null;
    const answer = await this.act({ type: "edit", game: this.id, node, ...change });
    if (answer && change.delete && this.shownId === node && parent !== null) await this.show(parent);
  }

  protected arrive(id: number, position: Position): void {
    this.viewedPosition = position;
    this.viewedId = id;
  }

  /** Take a change; one of a state that was missed is of no use, and the game is asked for. */
  private follow({ game, tree, event }: ChangeMessage): void {
    const before = this.game;
    if (!before || game.revision < before.revision) return; // the game itself is on its way, or was faster
    if (tree.since === before.revision) this.take({ ...game, tree: changed(before.tree, tree) }, event);
    else void this.open();
  }

  private take(game: Game, event: GameEvent = "state"): void {
    const before = this.game;
    if (before && game.revision < before.revision) return;
    if (before && game.current !== before.current) {
      this.seeker.cancel();
      this.viewedId = null;
      this.hint = null;
    }
    if (game.outcome) this.hint = null;
    if (before) this.positions.set(before.current, before.position);
    this.game = game;
    this.received = performance.now();
    if (this.viewedId !== null && !game.tree.some((node) => node.id === this.viewedId)) this.viewedId = null;
    this.onchange(game, before, event);
  }
}
