import type { OrganizationId } from '#shared/tokens/resource-id';

/**
 * SES's refusals that a sender can cause (SES API v2 reference, "SendEmail"): an address, a header, a virus, or a
 * domain that is no longer verified. `Reject` is the event of a rejection: SES had accepted the message.
 *
 * All others are ours, those we don't know included: the account is suspended or paused, the configuration set is gone,
 * the role may not send, a request is signed wrongly.
 */
const causedBySender: ReadonlySet<string> = new Set([
  'MessageRejected',
  'MailFromDomainNotVerifiedException',
  'BadRequestException',
  'Reject',
]);

/** SES says the same of a paused account. Sent in the name of a tenant, it's probably the tenant that is paused. */
const causedByTenant: ReadonlySet<string> = new Set([...causedBySender, 'SendingPausedException']);

/** From this many organizations in a row, without an accepted email in between, the cause can't be theirs. */
const fewestOrganizations = 3;

export type Refused = {
  readonly organizationId: OrganizationId;
  readonly reason: string;
  /** The email was sent in the name of a tenant of SES. */
  readonly isOfTenant: boolean;
};

/**
 * Tells a sender's fault from ours, so that one organization can't ring alarms or roll a deployment back. But if SES
 * refuses every sender, the fault is ours whatever SES calls it: a new version may build requests wrongly.
 *
 * It looks only at the emails of this process: that costs no call, and a new version is judged by its own emails.
 */
export function createRefusals() {
  const inARow = new Set<OrganizationId>();

  return {
    noteAccepted: (): void => inARow.clear(),
    isSendersFault({ organizationId, reason, isOfTenant }: Refused): boolean {
      if (!(isOfTenant ? causedByTenant : causedBySender).has(reason)) return false;
      inARow.add(organizationId);
      return inARow.size < fewestOrganizations;
    },
  };
}

export type Refusals = ReturnType<typeof createRefusals>;
