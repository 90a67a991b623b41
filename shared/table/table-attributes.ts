export const tableAttributes = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** DynamoDB deletes an item up to two days after this moment, in epoch seconds. */
  timeToLive: 'expiresAt',
} as const;

/**
 * What a list of sends shows or searches and no event changes. Whoever writes one of these again, as an erasure does,
 * has DynamoDB write the entry again.
 */
export const searchedAttributes = [
  'toEmail',
  'moreTo',
  'cc',
  'bcc',
  'subject',
  'tags',
  'templateId',
  'apiKey',
] as const;

/**
 * Four overloaded sparse indexes. Their entries have keys only, those of `gsi2` also a send's searched attributes:
 * status changes never rewrite an index entry, and readers fetch the items it names.
 */
export const tableIndexes = {
  gsi1: { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk', projected: [] },
  gsi2: { name: 'gsi2', partitionKey: 'gsi2pk', sortKey: 'gsi2sk', projected: searchedAttributes },
  gsi3: { name: 'gsi3', partitionKey: 'gsi3pk', sortKey: 'gsi3sk', projected: [] },
  gsi4: { name: 'gsi4', partitionKey: 'gsi4pk', sortKey: 'gsi4sk', projected: [] },
} as const;

/** The SDK takes a field of this name for the object's class, and can't store the object. */
export const notStored = 'constructor';
