import type { Event, EventRecipient } from './event.ts';

/**
 * SES may report each recipient of a message separately. Keeps the earlier time and the recipients of both. Of two
 * reasons, keeps the alphabetically first, which is also the weightiest: `Permanent`, `Transient`, `Undetermined`, then
 * SES's own decisions in lower case. So neither the order nor the number of reports matters.
 */
export function mergeEvents<One extends Event>(existing: One, reported: Event): One {
  const [reason] = [existing, reported].flatMap((one) => one.reason ?? []).toSorted(compare);
  const recipients = mergeRecipients([
    ...(existing.recipients ?? []),
    ...(reported.recipients ?? []),
  ]);
  return {
    ...existing,
    ts: Math.min(...shownIn(existing, reported).map(({ ts }) => ts)),
    ...mergedHits(existing, reported),
    ...(reason !== undefined && { reason }),
    ...(recipients.length > 0 && { recipients }),
  };
}

/** A person's hit counts for more than an earlier one by a machine. */
function shownIn(...events: readonly Event[]): readonly Event[] {
  const ofPersons = events.filter(({ machine }) => machine === false);
  return ofPersons.length > 0 ? ofPersons : events;
}

const mergedHits = (one: Event, other: Event): Pick<Event, 'hits' | 'machine'> =>
  one.hits === undefined || other.hits === undefined
    ? {}
    : {
        hits: one.hits + other.hits,
        machine: one.machine === true && other.machine === true,
      };

/** Each address once, alphabetically, with its alphabetically first diagnostic. */
export function mergeRecipients(recipients: readonly EventRecipient[]): EventRecipient[] {
  const sorted = recipients.toSorted(
    (one, other) =>
      compare(one.email, other.email) || compare(one.diagnostic ?? '', other.diagnostic ?? ''),
  );
  return [...new Map(sorted.toReversed().map((one) => [one.email, one])).values()].toReversed();
}

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
