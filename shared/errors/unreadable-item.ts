import type * as z from 'zod/mini';

/** Names for readers of the log. */
export type ItemName =
  | 'API key'
  | 'audit entry'
  | 'category'
  | 'contact'
  | 'declaration'
  | 'deleted organization'
  | 'delivery'
  | 'event'
  | 'identity'
  | 'issuer account'
  | 'mailed link'
  | 'metrics'
  | 'notice'
  | 'notice targets'
  | 'organization'
  | 'passkeys'
  | 'refused request'
  | 'send'
  | 'suppression'
  | 'template'
  | 'usage'
  | 'usage by tag'
  | 'webhook';

/**
 * Another version wrote the item, or a person did. Names the faulty fields but not their values, which may be personal.
 */
export class UnreadableItemError extends Error {
  override readonly name = 'UnreadableItemError';
  readonly item: ItemName;
  /** For example `identity.status (invalid_value)`. */
  readonly fields: readonly string[];

  constructor(item: ItemName, issues: readonly Pick<z.core.$ZodIssue, 'path' | 'code'>[]) {
    super(`The stored ${item} can't be read`);
    this.item = item;
    this.fields = issues.map(({ path, code }) => `${path.join('.')} (${code})`);
  }
}
