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
 * Answers from the account's list, or with `TenantName` a tenant's own. SES stores each address as written, and its
 * calls find only that spelling; sending ignores case (SES guide, "Managing tenant suppression list entries").
 *
 * Only calls add addresses here: all but SES's simulator addresses accept email.
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

/** `undefined` if there is no such tenant. */
const listOf = (tenantName: string | undefined, { suppressed, tenants }: SesState) =>
  tenantName === undefined ? suppressed : tenants[tenantName]?.suppressed;

export type Suppressed = {
  readonly scope: 'account' | 'tenant';
  readonly reason: z.output<typeof suppressionReason>;
};

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
