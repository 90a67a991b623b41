import { type ApiKey, authenticate, invalidApiKey, parseApiKey } from '#shared/access/api-key';
import { limitOrganization } from '#shared/access/limit-organization';
import { limitRate } from '#shared/access/limit-rate';
import type { RateLimit } from '#shared/access/rate-limit';
import { requireScope } from '#shared/access/scopes';
import {
  type AttachmentReport,
  type AttachmentTotals,
  admitAttachments,
} from '#shared/attachments/admit-attachments';
import { ServiceError } from '#shared/errors/service-error';
import {
  defaultPolicyKeyOf,
  findPolicy,
  type Organization,
  type Policy,
  policyKeysOf,
  requireSameDigest,
} from '#shared/organizations/organization';
import type { Template } from '#shared/templates/template';
import { type ApiKeyId, organizationIdOf } from '#shared/tokens/resource-id';
import { applyPolicy, countRecipients, type Recipients } from './apply-policy.ts';
import type { SendContext } from './send-context-store.ts';
import {
  type ParsedSendRequest,
  recipientsIn,
  type SendRequest,
  type TemplateSendRequest,
} from './send-request.ts';
import { judgeSender, type Sender } from './sender.ts';
import type { Sending } from './sending.ts';

/** A send request that may go ahead: who asks, the sender, and the recipients. */
export type Admission = {
  /** Absent for an email of the service itself. */
  readonly apiKey: ApiKey | undefined;
  readonly organization: Organization;
  readonly sender: Sender;
  readonly request: SendRequest | TemplateSendRequest;
  /** The template that the request names, if the organization has it. */
  readonly template: Template | undefined;
  /** The request's, else the organization's default. */
  readonly policyKey: string;
  readonly policy: Policy;
  readonly recipients: Recipients;
  readonly attachments: AttachmentTotals;
};

/** Learns what the admission finds, whether or not the request is admitted. */
export type AdmissionObserver = {
  /** Called once the key is known to be valid. */
  readonly onKey: (apiKey: ApiKey) => void;
  /** Called once key and scope are checked, so that every later refusal can show the rate limit. */
  readonly onRateLimit: (rateLimit: RateLimit) => void;
  readonly onAttachments: (report: AttachmentReport) => void;
};

/**
 * Checks in this order: key, scope, rate limit, the request itself, organization, attachments, policy,
 * limits. So a caller without a valid key doesn't learn whether its request was well-formed. Every request of
 * a capped key counts, so that all its answers show what is left: by its recipients, or as one if it can't be
 * sent.
 *
 * @throws ServiceError with the code of the first check that fails.
 */
export async function admit(
  credential: string | undefined,
  parsed: ParsedSendRequest,
  now: number,
  sending: Sending,
  { onKey, onRateLimit, onAttachments }: AdmissionObserver,
): Promise<Admission> {
  const presented = parseApiKey(credential);

  const recipients = parsed.ok ? recipientsIn(parsed.value) : [];
  const [context, template] = await Promise.all([
    sending.contexts.read(presented.id, recipients),
    readOwnTemplate(parsed, presented.id, sending),
  ]);
  const apiKey = authenticate(presented, context.apiKey, now);
  if (context.organization === undefined) throw invalidApiKey();
  onKey(apiKey);
  requireScope(apiKey, 'send_email');
  const { organization } = context;
  requireSameDigest(organization);
  const addressing = parsed.ok
    ? addressingOf(parsed.value, organization, context.contactOf)
    : parsed;
  const recipientCount = addressing.ok ? countRecipients(addressing.recipients) : 1;
  await limitRate(apiKey, recipientCount, now, sending.rateWindows, onRateLimit);
  if (!parsed.ok) throw parsed.error;

  const { value: request } = parsed;
  const verdict = judgeSender(organization, request.from, apiKey, sending);
  if (!verdict.ok) throw verdict.error;
  const attachments = await admitAttachments(
    request.attachments,
    organization,
    now,
    sending,
    onAttachments,
  );
  if (!addressing.ok) throw addressing.error;
  const { policyKey, policy } = addressing;
  if (!addressing.recipients.isToSuppressed) {
    await limitOrganization(organization, recipientCount, now, sending);
  }
  return {
    apiKey,
    organization,
    sender: verdict.sender,
    request,
    template,
    policyKey,
    policy,
    recipients: addressing.recipients,
    attachments,
  };
}

type Addressing =
  | ({ readonly ok: true } & Pick<Admission, 'policyKey' | 'policy' | 'recipients'>)
  | { readonly ok: false; readonly error: ServiceError };

/** Who gets an email under its policy; `blockReasonOf` in `suppressions/block-reason.ts` decides. */
function addressingOf(
  request: SendRequest | TemplateSendRequest,
  organization: Organization,
  contactOf: SendContext['contactOf'],
): Addressing {
  const policyKey = request.policyKey ?? defaultPolicyKeyOf(organization);
  const found = policyFor(policyKey, request, organization);
  if (!found.ok) return found;
  const { policy } = found;
  return { ok: true, policyKey, policy, recipients: applyPolicy(request, policy, contactOf) };
}

/**
 * Runs beside the read of the context, so it costs no extra time. Reads only the organization's own
 * templates.
 */
async function readOwnTemplate(
  parsed: ParsedSendRequest,
  apiKeyId: ApiKeyId,
  { templates }: Sending,
): Promise<Template | undefined> {
  const id = parsed.ok ? parsed.value.template?.id : undefined;
  const isOwn = id !== undefined && organizationIdOf(id) === organizationIdOf(apiKeyId);
  return isOwn ? templates.get(id) : undefined;
}

/** Every recipient of bulk email must be able to unsubscribe alone, so each gets a separate email. */
function policyFor(
  policyKey: string,
  { moreTo, cc, bcc }: SendRequest | TemplateSendRequest,
  organization: Organization,
):
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly error: ServiceError } {
  const policy = findPolicy(organization, policyKey);
  if (policy === undefined) return { ok: false, error: unknownPolicy(organization) };
  const extra = Object.entries({ to: moreTo, cc, bcc }).find(([, list]) => list.length > 0);
  if (policy.kind === 'bulk' && extra !== undefined) {
    const [path] = extra;
    const error = new ServiceError(
      'bulk_needs_one_recipient',
      'A bulk email goes to one recipient, who can unsubscribe by itself. Send one to each, or use a transactional policy.',
      { errors: [{ path, message: bulkFault(path) }] },
    );
    return { ok: false, error };
  }
  return { ok: true, policy };
}

const bulkFault = (path: string): string =>
  path === 'to' ? 'must be one address with a bulk policy' : 'must be empty with a bulk policy';

/** Organizations with more policies know their own. */
const mostPoliciesListed = 20;

function unknownPolicy(organization: Organization): ServiceError {
  const keys = policyKeysOf(organization).slice(0, mostPoliciesListed);
  return new ServiceError('unknown_policy', 'The organization has no policy of that name.', {
    errors: [{ path: 'policyKey', message: `no such policy: use one of ${keys.join(', ')}` }],
  });
}
