import type { Due, DuePage, DueReader } from './due-index.ts';
import type { StoredItem } from './table-client.ts';

type OwnBacklog<Owner, Entry> = {
  readonly owner: Owner;
  readonly waiting: Entry[];
  /** Where to continue in each shard that has more. */
  readonly unread: Map<number, StoredItem>;
  readonly reading: Set<number>;
  underWay: number;
};

type DueBacklogOptions<Owner extends string, Entry extends Due<Owner>> = {
  readonly due: DueReader<Owner, Entry>;
  readonly now: () => number;
  /** When reading stops. */
  readonly deadline: number;
  /** Attempts that an owner may have in flight. */
  readonly shareOf: (owner: Owner) => number;
  /** Called after each read, failed ones too. */
  readonly onRead: () => void;
};

/**
 * Hands out each due entry once: owners take turns, and none exceeds its share. It looks for owners in all shards at
 * once, and reads more of an owner's entries only when the ones it has are handed out: a long backlog costs neither
 * memory nor other owners' time.
 */
export class DueBacklog<Owner extends string, Entry extends Due<Owner>> {
  readonly #options: DueBacklogOptions<Owner, Entry>;
  readonly #backlogs = new Map<Owner, OwnBacklog<Owner, Entry>>();
  readonly #ready = new Set<OwnBacklog<Owner, Entry>>();
  /** The index keeps an entry until shortly after its outcome is stored. */
  readonly #seen = new Set<string>();
  #found = 0;
  #reads = 0;
  #failure: unknown;

  constructor(options: DueBacklogOptions<Owner, Entry>) {
    this.#options = options;
  }

  /** Whether a read under way may bring more to take. */
  get isReading(): boolean {
    return this.#reads > 0;
  }

  get found(): number {
    return this.#found;
  }

  /** @throws what a read threw. */
  requireAllRead(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  look(): void {
    this.#found = 0;
    const { shards } = this.#options.due;
    for (let shard = 0; shard < shards; shard += 1) this.#track(this.#readOwners(shard));
  }

  /** `undefined` if nothing may be attempted now. */
  take(): Entry | undefined {
    const [backlog] = this.#ready;
    const entry = backlog?.waiting.shift();
    if (backlog === undefined || entry === undefined) return undefined;
    backlog.underWay += 1;
    // Moves the owner to the end of the line.
    this.#ready.delete(backlog);
    this.#update(backlog);
    return entry;
  }

  /** Call when an attempt is over. */
  release({ owner }: Entry): void {
    const backlog = this.#backlogOf(owner);
    backlog.underWay -= 1;
    this.#update(backlog);
  }

  #update(backlog: OwnBacklog<Owner, Entry>): void {
    const { owner, waiting, unread, underWay } = backlog;
    const { now, deadline, shareOf } = this.#options;
    const isUsedUp = waiting.length === 0 && unread.size > 0;
    if (isUsedUp && now() < deadline) this.#track(this.#readOn(backlog));
    const mayBegin = waiting.length > 0 && underWay < shareOf(owner);
    if (mayBegin) this.#ready.add(backlog);
    else this.#ready.delete(backlog);
  }

  async #readOwners(shard: number): Promise<void> {
    const { due, now, deadline, onRead } = this.#options;
    let after: Owner | undefined;
    do {
      const { firstPages, next } = await due.findOwners(shard, now(), after);
      for (const { owner, page } of firstPages) {
        const backlog = this.#backlogOf(owner);
        const isBehind = backlog.unread.has(shard) || backlog.reading.has(shard);
        if (!isBehind) this.#add(backlog, shard, page);
      }
      after = next;
      onRead();
    } while (after !== undefined && now() < deadline);
  }

  async #readOn(backlog: OwnBacklog<Owner, Entry>): Promise<void> {
    const { due, now } = this.#options;
    const { owner, unread, reading } = backlog;
    const positions = [...unread];
    unread.clear();
    for (const [shard] of positions) reading.add(shard);
    await Promise.all(
      positions.map(async ([shard, after]) => {
        const page = await due.find(shard, owner, now(), after);
        reading.delete(shard);
        this.#add(backlog, shard, page);
      }),
    );
  }

  #add(backlog: OwnBacklog<Owner, Entry>, shard: number, { entries, next }: DuePage<Entry>): void {
    const unseen = entries.filter(({ id }) => !this.#seen.has(id));
    for (const { id } of unseen) this.#seen.add(id);
    this.#found += unseen.length;
    backlog.waiting.push(...unseen);
    if (next !== undefined) backlog.unread.set(shard, next);
    this.#update(backlog);
  }

  #backlogOf(owner: Owner): OwnBacklog<Owner, Entry> {
    const known = this.#backlogs.get(owner);
    if (known !== undefined) return known;
    const backlog = {
      owner,
      waiting: [],
      unread: new Map(),
      reading: new Set<number>(),
      underWay: 0,
    };
    this.#backlogs.set(owner, backlog);
    return backlog;
  }

  #track(read: Promise<void>): void {
    this.#reads += 1;
    const ended = (failure?: unknown) => {
      this.#failure ??= failure;
      this.#reads -= 1;
      this.#options.onRead();
    };
    read.then(() => ended(), ended);
  }
}
