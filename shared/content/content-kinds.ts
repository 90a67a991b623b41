/**
 * What the bucket keeps of emails, by the prefix of its keys. The service deletes each object as soon as it has no
 * use; the bucket's lifecycle deletes after so many days what a process that died has left.
 */
export const contentKinds = {
  /** Of sends that go out later: at most 30 days, and what a worker needs to send them. */
  waiting: { days: 40 },
} as const;
export type ContentKind = keyof typeof contentKinds;
export const contentKindNames = ['waiting'] as const satisfies readonly ContentKind[];

/** A deletion of all that an organization has of a kind needs `List`, too. */
export type ContentAction = 'Put' | 'Get' | 'Delete' | 'List';
