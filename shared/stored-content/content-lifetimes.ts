/** A rule's days are fixed, so the bucket's lifecycle has a rule for each. */
export const keptDays = [1, 3, 7, 14, 30, 60, 90, 180, 365] as const;
export type KeptDays = (typeof keptDays)[number];

export const keptKindOf = <Days extends KeptDays>(days: Days) => `kept/${days}` as const;

/** Longer than an email waits: see `sending/later/schedule-horizon.ts`. */
export const waitingDays = 40;

/**
 * By the prefix of the keys. The service deletes each object as soon as it has no use; the bucket's lifecycle deletes
 * what dead processes left, after this many days.
 */
export const contentKinds = [
  { kind: 'waiting', days: waitingDays },
  /** Emails that went out: `sending/kept-content.ts`. */
  ...keptDays.map((days) => ({ kind: keptKindOf(days), days })),
] as const;
export type ContentKind = (typeof contentKinds)[number]['kind'];

/** The first part of a kind. Functions get their permissions by group. */
export const contentGroups = ['waiting', 'kept'] as const;
export type ContentGroup = (typeof contentGroups)[number];

/** Deleting everything that an organization has of a kind needs `List`, too. */
export type ContentAction = 'Put' | 'Get' | 'Delete' | 'List';
