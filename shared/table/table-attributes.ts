export const tableAttributes = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** DynamoDB deletes an item up to two days after this moment, in epoch seconds. */
  timeToLive: 'expiresAt',
} as const;

/**
 * Three overloaded sparse indexes of keys only: status changes never rewrite an index entry, and readers fetch the
 * items it names.
 */
export const tableIndexes = {
  gsi1: { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
  gsi2: { name: 'gsi2', partitionKey: 'gsi2pk', sortKey: 'gsi2sk' },
  gsi3: { name: 'gsi3', partitionKey: 'gsi3pk', sortKey: 'gsi3sk' },
} as const;

/** The SDK takes a field of this name for the object's class, and can't store the object. */
export const notStored = 'constructor';
