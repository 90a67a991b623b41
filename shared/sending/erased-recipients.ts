import { recipientIdentityOf } from '#shared/contacts/email-address';
import { erasedAddress, withoutAddressInJson } from '#shared/contacts/erased-address';
import { type Addressed, addressesIn } from './send.ts';

export const hasErased = (send: Addressed): boolean => addressesIn(send).includes(erasedAddress);

/** Everyone the send names (`EmailAddress.identity`). */
export const identitiesIn = (send: Addressed): string[] =>
  addressesIn(send).flatMap((address) => recipientIdentityOf(address) ?? []);

/** The identities that the send doesn't name, one of which may be the erased person's. None if nobody was erased. */
export function erasedFrom(send: Addressed, identities: readonly string[]): string[] {
  if (!hasErased(send)) return [];
  const named = new Set(identitiesIn(send));
  return [...new Set(identities)].filter((identity) => !named.has(identity));
}

export const erasedBetween = (seen: Addressed, standing: Addressed): string[] =>
  erasedFrom(standing, identitiesIn(seen));

export const withoutPersons = <Row extends { readonly body: string }>(
  row: Row,
  identities: readonly string[],
): Row => identities.reduce((one, identity) => withoutPerson(one, identity), row);

const withoutPerson = <Row extends { readonly body: string }>(row: Row, identity: string): Row => ({
  ...row,
  body: withoutAddressInJson(row.body, identity),
});
