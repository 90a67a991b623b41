import type { StoredItem } from '#shared/table/table-client';
import type { WebhookId } from '#shared/tokens/resource-id';
import type { DueEntry, DuePage } from './due-delivery-store.ts';

/** Reads one page of the due deliveries of one shard. */
export type ReadDuePage = (shard: number, after: StoredItem | undefined) => Promise<DuePage>;

/** The most attempts at one endpoint at a time, so that a hanging endpoint does not hold up the others. */
export const perEndpoint = 16;

/** Hands out the due deliveries of all shards: each once, and to no endpoint more than its share. */
export class DueBacklog {
  readonly #readPage: ReadDuePage;
  readonly #isOver: () => boolean;
  readonly #unread: { shard: number; after: StoredItem | undefined }[];
  readonly #waiting = new Map<WebhookId, DueEntry[]>();
  readonly #underWay = new Map<WebhookId, number>();
  #reading: Promise<void> | undefined;
  #released = Promise.withResolvers<void>();

  /** @param isOver whether it is too late to begin another attempt, or to look for one. */
  constructor(shards: number, readPage: ReadDuePage, isOver: () => boolean) {
    this.#readPage = readPage;
    this.#isOver = isOver;
    this.#unread = Array.from({ length: shards }, (_, shard) => ({ shard, after: undefined }));
  }

  /** The next delivery that may be attempted; `undefined` when none is left or the time is over. */
  async take(): Promise<DueEntry | undefined> {
    while (!this.#isOver()) {
      const entry = this.#takeEligible();
      if (entry !== undefined) return entry;
      if (this.#unread.length > 0 || this.#reading !== undefined) await this.#readMore();
      else if (this.#waiting.size > 0) await this.#released.promise;
      else return undefined;
    }
    return undefined;
  }

  /** Reports that an attempt is over. */
  release({ webhookId }: DueEntry): void {
    this.#underWay.set(webhookId, (this.#underWay.get(webhookId) ?? 1) - 1);
    this.#released.resolve();
    this.#released = Promise.withResolvers<void>();
  }

  #takeEligible(): DueEntry | undefined {
    for (const [webhookId, entries] of this.#waiting) {
      const underWay = this.#underWay.get(webhookId) ?? 0;
      if (underWay >= perEndpoint) continue;
      const entry = entries.shift();
      // The endpoint goes to the end of the line: endpoints take turns.
      this.#waiting.delete(webhookId);
      if (entries.length > 0) this.#waiting.set(webhookId, entries);
      this.#underWay.set(webhookId, underWay + 1);
      return entry;
    }
    return undefined;
  }

  #readMore(): Promise<void> {
    this.#reading ??= this.#readPages().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readPages(): Promise<void> {
    const unread = this.#unread.splice(0);
    const pages = await Promise.all(unread.map(({ shard, after }) => this.#readPage(shard, after)));
    for (const [index, { entries, next }] of pages.entries()) {
      const shard = unread[index]?.shard;
      if (next !== undefined && shard !== undefined) this.#unread.push({ shard, after: next });
      for (const entry of entries) {
        const entriesOfEndpoint = this.#waiting.get(entry.webhookId) ?? [];
        entriesOfEndpoint.push(entry);
        this.#waiting.set(entry.webhookId, entriesOfEndpoint);
      }
    }
  }
}
