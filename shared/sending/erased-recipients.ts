import { recipientIdentityOf } from '#shared/contacts/email-address';
import { erasedAddress, withoutAddressInJson } from '#shared/contacts/erased-address';
import { nothingElse } from '#shared/errors/nothing-else';
import type { AttributeChange } from '#shared/table/attribute-change';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import type { EventAttributes } from './event-attributes.ts';
import { type Addressed, addressesIn, type Send } from './send.ts';
import {
  mayNamePeople,
  optionNames,
  reportedOptionNames,
  type SendOptions,
} from './send-options.ts';

/** Webhook bodies name people in these, so deliveries are written only if they are still as read. */
export const reportedNames = [
  'toEmail',
  'subject',
  ...reportedOptionNames.filter(mayNamePeople),
  'moreTo',
  'cc',
  'bcc',
] as const;
export type ReportedNames = Pick<Send, (typeof reportedNames)[number]>;

/** Attributes that an erasure changes. A new attribute doesn't compile until somebody decides. */
export const personalNames = (): readonly (keyof Send)[] => [
  ...new Set<keyof Send>([...reportedNames, reportedOnce, ...optionNames.filter(mayNamePeople)]),
];

/**
 * A send whose key was freed stays in the table after its time, to say where the key leads. This removes the people and
 * the words in it, and its place in the index of recipients.
 */
export const forgetting = (): AttributeChange => {
  const kept = { toEmail: erasedAddress, subject: '' };
  const names = new Set([
    ...personalNames(),
    ...optionNames,
    ...['idempotencyKey', 'contentKey', 'waitingKey'],
  ]);
  const removed = [...names].filter((name) => !Object.hasOwn(kept, name));
  return { set: kept, remove: [...removed, 'gsi3pk', 'gsi3sk'] };
};

/** Reported only by the write that sets it. */
const reportedOnce = 'suppressedRecipients';

type NamesNobody =
  // A key such as `welcome-ann@example.com` has an address inside its text: see `addressChange`.
  | 'idempotencyKey'
  // The content names everyone: `addressChange` takes the key away.
  | 'contentKey'
  // The waiting content is called off, or stored again without the person.
  | 'waitingKey'
  | 'id'
  | 'feedbackId'
  | 'status'
  | 'attempt'
  | 'claimId'
  | 'claimedAt'
  | 'leaseExpiresAt'
  | 'doubtUntil'
  | 'provenAt'
  | 'attempts'
  | 'fingerprint'
  | 'fromEmail'
  | 'fromName'
  | 'test'
  | 'policyKey'
  | 'apiKeyId'
  | 'isReadableById'
  | 'hasNewRecipients'
  | 'untracked'
  | 'contentDays'
  | 'resendOf'
  | 'resentAs'
  | 'templateId'
  | 'templateVersion'
  | 'templateLocale'
  | 'missingVariables'
  | 'endpoint'
  | 'attachmentCount'
  | 'attachmentBytes'
  | 'providerMessageId'
  | 'sentAt'
  | 'sendAt'
  | 'dueAt'
  | 'dueSince'
  | 'giveUpAt'
  | 'contentId'
  | 'createdAt'
  | 'updatedAt'
  | 'freed'
  | 'forgottenAt'
  | 'expiresAt';
type Undecided = Exclude<
  keyof Send,
  | keyof ReportedNames
  | typeof reportedOnce
  | NamesNobody
  | keyof SendOptions
  | keyof EventAttributes
>;
nothingElse({} satisfies Record<Undecided, never>);

export const hasErased = (send: Addressed): boolean => addressesIn(send).includes(erasedAddress);

/** Everyone the send names (`EmailAddress.identity`). */
export const identitiesIn = (send: Addressed): string[] =>
  addressesIn(send).flatMap((address) => recipientIdentityOf(address) ?? []);

/** The identities that the send doesn't name; one may be the erased person's. Empty if nobody was erased. */
export function erasedFrom(send: Addressed, identities: readonly string[]): string[] {
  if (!hasErased(send)) return [];
  const named = new Set(identitiesIn(send));
  return [...new Set(identities)].filter((identity) => !named.has(identity));
}

export const erasedBetween = (seen: Addressed, existing: Addressed): string[] =>
  erasedFrom(existing, identitiesIn(seen));

export const withoutPersons = (delivery: Delivery, identities: readonly string[]): Delivery =>
  identities.reduce((one, identity) => withoutPerson(one, identity), delivery);

const withoutPerson = (delivery: Delivery, identity: string): Delivery => ({
  ...delivery,
  body: withoutAddressInJson(delivery.body, identity),
});
