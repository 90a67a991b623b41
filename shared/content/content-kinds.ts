/**
 * For how many days an organization may keep what it sent. Each has a rule in the bucket's lifecycle, since a rule's days
 * are fixed.
 */
export const keptDays = [1, 3, 7, 14, 30, 60, 90, 180, 365] as const;
export type KeptDays = (typeof keptDays)[number];

export const keptKindOf = <Days extends KeptDays>(days: Days) => `kept/${days}` as const;

/**
 * What the bucket keeps of emails, by the prefix of its keys. The service deletes each object as soon as it has no
 * use; the bucket's lifecycle deletes after so many days what is over, or what a process that died has left.
 */
export const contentKinds = [
  /** Of sends that go out later: at most 30 days, and what a worker needs to send them. */
  { kind: 'waiting', days: 40 },
  /** What went out: `sending/kept-content.ts`. */
  ...keptDays.map((days) => ({ kind: keptKindOf(days), days })),
] as const;
export type ContentKind = (typeof contentKinds)[number]['kind'];

/** Functions get their permissions by group: the first part of a kind. */
export const contentGroups = ['waiting', 'kept'] as const;
export type ContentGroup = (typeof contentGroups)[number];

/** A deletion of all that an organization has of a kind needs `List`, too. */
export type ContentAction = 'Put' | 'Get' | 'Delete' | 'List';
