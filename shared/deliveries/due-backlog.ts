import { dueShards } from '#shared/table/delivery-keys';
import type { StoredItem } from '#shared/table/table-client';
import type { DeliveryId, WebhookId } from '#shared/tokens/resource-id';
import type { DueDeliveryStore, DueEntry, DuePage } from './due-delivery-store.ts';

/** The deliveries known to be due to one endpoint. */
type EndpointBacklog = {
  readonly webhookId: WebhookId;
  readonly waiting: DueEntry[];
  /** Where to continue, in each shard that has more. */
  readonly unread: Map<number, StoredItem>;
  /** The shards now being read. */
  readonly reading: Set<number>;
  underWay: number;
};

export type DueBacklogOptions = {
  readonly dueDeliveries: DueDeliveryStore;
  readonly now: () => number;
  /** When reading stops, epoch milliseconds. */
  readonly deadline: number;
  /** How many attempts at an endpoint may be in flight. */
  readonly shareOf: (webhookId: WebhookId) => number;
  /** Called after each read, failed ones too. */
  readonly onRead: () => void;
};

/**
 * Hands out each due delivery once, endpoints in turn, to no endpoint more than its share. It looks for
 * endpoints in all shards at once. It reads further deliveries of an endpoint only when the ones it has are
 * handed out, so a long backlog costs neither memory nor other endpoints' time.
 */
export class DueBacklog {
  readonly #options: DueBacklogOptions;
  readonly #endpoints = new Map<WebhookId, EndpointBacklog>();
  /** The endpoints ready for an attempt, in the order of their turns. */
  readonly #ready = new Set<EndpointBacklog>();
  /** The index keeps a delivery until shortly after its outcome is stored. */
  readonly #seen = new Set<DeliveryId>();
  #found = 0;
  #reads = 0;
  #failure: unknown;

  constructor(options: DueBacklogOptions) {
    this.#options = options;
  }

  /** Whether a read is under way that may bring more to take. */
  get isReading(): boolean {
    return this.#reads > 0;
  }

  /** How many deliveries were found since the last look began. */
  get found(): number {
    return this.#found;
  }

  /** @throws what a read threw. */
  requireAllRead(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Looks for endpoints with deliveries that have become due. */
  look(): void {
    this.#found = 0;
    for (let shard = 0; shard < dueShards; shard += 1) this.#track(this.#readEndpoints(shard));
  }

  /** The next delivery that may be attempted now, if there is one. */
  take(): DueEntry | undefined {
    const [endpoint] = this.#ready;
    const entry = endpoint?.waiting.shift();
    if (endpoint === undefined || entry === undefined) return undefined;
    endpoint.underWay += 1;
    // To the end of the line.
    this.#ready.delete(endpoint);
    this.#update(endpoint);
    return entry;
  }

  /** Reports that an attempt is over. */
  release({ webhookId }: DueEntry): void {
    const endpoint = this.#endpointOf(webhookId);
    endpoint.underWay -= 1;
    this.#update(endpoint);
  }

  #update(endpoint: EndpointBacklog): void {
    const { webhookId, waiting, unread, underWay } = endpoint;
    const { now, deadline, shareOf } = this.#options;
    const isUsedUp = waiting.length === 0 && unread.size > 0;
    if (isUsedUp && now() < deadline) this.#track(this.#readOn(endpoint));
    const mayBegin = waiting.length > 0 && underWay < shareOf(webhookId);
    if (mayBegin) this.#ready.add(endpoint);
    else this.#ready.delete(endpoint);
  }

  async #readEndpoints(shard: number): Promise<void> {
    const { dueDeliveries, now, deadline, onRead } = this.#options;
    let after: WebhookId | undefined;
    do {
      const { firstPages, next } = await dueDeliveries.findEndpoints(shard, now(), after);
      for (const { webhookId, page } of firstPages) {
        const endpoint = this.#endpointOf(webhookId);
        const isBehind = endpoint.unread.has(shard) || endpoint.reading.has(shard);
        if (!isBehind) this.#add(endpoint, shard, page);
      }
      after = next;
      onRead();
    } while (after !== undefined && now() < deadline);
  }

  async #readOn(endpoint: EndpointBacklog): Promise<void> {
    const { dueDeliveries, now } = this.#options;
    const { webhookId, unread, reading } = endpoint;
    const positions = [...unread];
    unread.clear();
    for (const [shard] of positions) reading.add(shard);
    await Promise.all(
      positions.map(async ([shard, after]) => {
        const page = await dueDeliveries.find(shard, webhookId, now(), after);
        reading.delete(shard);
        this.#add(endpoint, shard, page);
      }),
    );
  }

  #add(endpoint: EndpointBacklog, shard: number, { entries, next }: DuePage): void {
    const unseen = entries.filter(({ id }) => !this.#seen.has(id));
    for (const { id } of unseen) this.#seen.add(id);
    this.#found += unseen.length;
    endpoint.waiting.push(...unseen);
    if (next !== undefined) endpoint.unread.set(shard, next);
    this.#update(endpoint);
  }

  #endpointOf(webhookId: WebhookId): EndpointBacklog {
    const known = this.#endpoints.get(webhookId);
    if (known !== undefined) return known;
    const endpoint = {
      webhookId,
      waiting: [],
      unread: new Map(),
      reading: new Set<number>(),
      underWay: 0,
    };
    this.#endpoints.set(webhookId, endpoint);
    return endpoint;
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
