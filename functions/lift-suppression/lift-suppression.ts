import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { type Lifting, liftSuppressions } from '#shared/suppressions/lift-suppressions';
import type { SuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { contactIdOf } from '#shared/tokens/resource-id';
import type { LiftSuppressionQuery } from './endpoint.ts';

export type LiftSuppressionCommand = {
  readonly credential: string | undefined;
  readonly email: string;
  /** Reads the query. It is called once the caller is known. */
  readonly parse: () => LiftSuppressionQuery;
};

/**
 * Lifts the suppressions of an address: of one reason, or of all but the person's own unsubscription.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `suppression_not_found`,
 *   `provider_throttled`, `concurrent_change`
 */
export async function liftSuppression(
  { credential, email, parse }: LiftSuppressionCommand,
  lifting: Authentication & Lifting & { readonly suppressions: SuppressionListStore },
) {
  const manager = await authenticateManager(credential, lifting);
  const { reason: wanted } = parse();
  const parsed = parseEmailAddress(email);
  if (!parsed.ok) throw invalidField('email', parsed.reason);

  const { address, identity } = parsed.value;
  const contactId = contactIdOf(manager.organizationId, identity);
  const { suppressions: all } = await lifting.suppressions.ofContact(contactId);
  const isWanted = (reason: string) =>
    wanted === undefined ? reason !== 'unsubscribe' : reason === wanted;
  const present = all.map(({ reason }) => reason);
  const reasons = present.filter(isWanted);
  if (reasons.length === 0) throw notSuppressed();
  const lift = { contactId, all, reasons, address };
  const providerList = await liftSuppressions(lift, manager, lifting);
  return {
    lifted: reasons,
    remaining: present.filter((reason) => !isWanted(reason)),
    providerList,
  };
}

const notSuppressed = (): ServiceError =>
  new ServiceError(
    'suppression_not_found',
    'The address has no such suppression. An unsubscription is lifted only where reason is unsubscribe.',
  );
