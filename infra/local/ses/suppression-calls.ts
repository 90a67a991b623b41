import * as z from 'zod';
import {
  done,
  notFound,
  type SesAnswer,
  type SesCall,
  type SesState,
  suppressionReason,
} from './state.ts';

const listPath = '/suppression/addresses';
const putRequest = z.object({
  EmailAddress: z.string(),
  Reason: suppressionReason,
  TenantName: z.string().optional(),
});

/**
 * Answers what SES v2 answers about suppression lists: the account's, and with `TenantName` a tenant's own. SES keeps
 * each address as it was written, and its calls know an address by that spelling only; sending takes no notice of the
 * case (SES guide, "Managing tenant suppression list entries").
 *
 * An address gets here by a call alone: SES lists no address of its mailbox simulator, and all others take their email.
 */
export function answerSuppressionCall(
  { method, path: pathAndQuery, body }: SesCall,
  state: SesState,
): SesAnswer | undefined {
  const [path = '', query] = pathAndQuery.split('?');
  if (method === 'PUT' && path === listPath) {
    const { EmailAddress, Reason, TenantName } = putRequest.parse(body);
    const list = listOf(TenantName, state);
    if (list === undefined) return notFound(`Tenant ${TenantName} does not exist.`);
    list[EmailAddress] = { reason: Reason, at: Date.now() };
    return done;
  }
  if (!path.startsWith(`${listPath}/`)) return undefined;
  const tenantName = new URLSearchParams(query).get('TenantName') ?? undefined;
  const EmailAddress = path.slice(listPath.length + 1);
  const list = listOf(tenantName, state);
  const entry = list?.[EmailAddress];
  if (list === undefined) return notFound(`Tenant ${tenantName} does not exist.`);
  if (entry === undefined) {
    return notFound(`Email address ${EmailAddress} does not exist on your suppression list.`);
  }
  if (method === 'DELETE') {
    delete list[EmailAddress];
    return done;
  }
  const { reason: Reason, at } = entry;
  const SuppressedDestination = {
    EmailAddress,
    Reason,
    LastUpdateTime: at / 1000,
    ...(tenantName !== undefined && { TenantName: tenantName }),
  };
  return { status: 200, json: { SuppressedDestination } };
}

/** The account's list, or a tenant's own; `undefined` when there is no such tenant. */
const listOf = (tenantName: string | undefined, { suppressed, tenants }: SesState) =>
  tenantName === undefined ? suppressed : tenants[tenantName]?.suppressed;

/** The list that keeps an email from an address, and whether it is there as it bounced or complained. */
export type Suppressed = {
  readonly scope: 'account' | 'tenant';
  readonly reason: z.output<typeof suppressionReason>;
};

/**
 * Why SES takes an email to the address and doesn't send it; `undefined` when it does send it. The configuration set
 * says for which reasons its emails are held back, and the tenant whose list is asked.
 */
export function suppressionOf(
  address: string,
  tenantName: string | undefined,
  state: SesState,
): Suppressed | undefined {
  const tenant = tenantName === undefined ? undefined : state.tenants[tenantName];
  const hasOwnList = tenant?.suppression.scope === 'TENANT';
  const entries = Object.entries(hasOwnList ? tenant.suppressed : state.suppressed);
  const [, found] =
    entries.find(([listed]) => listed.toLowerCase() === address.toLowerCase()) ?? [];
  if (found === undefined || !state.configurationSet.suppressedReasons.includes(found.reason)) {
    return undefined;
  }
  return { scope: hasOwnList ? 'tenant' : 'account', reason: found.reason };
}
