import { type Authentication, admitCaller } from '#shared/access/admit-caller';
import { limitChanges } from '#shared/access/limit-day';
import { requireScope } from '#shared/access/scopes';
import { requireShownKey } from '#shared/access/sign-in';
import { newAuditEntry } from '#shared/audit/audit-entry';
import type { AuditStore } from '#shared/audit/audit-store';
import type { UnadmittedRequest } from '#shared/endpoints/serve';
import { ServiceError } from '#shared/errors/service-error';
import type { GivenLimits } from '#shared/organizations/organization-limits';
import { withoutSetHeaders } from '#shared/sending/request/send-fields';
import { type ParsedSendRequest, parseSendRequest } from '#shared/sending/request/send-request';
import { fromOf, toOf } from '#shared/sending/send';
import { optionsOf } from '#shared/sending/send-options';
import {
  type ContentReading,
  readSendContent,
  readSendFiles,
  type SendContent,
} from '#shared/sends/send-content';
import type { endpoint } from './endpoint.ts';

export type Resending = Authentication &
  ContentReading & {
    readonly audit: Pick<AuditStore, 'append'>;
    readonly limitsOfDeployment: GivenLimits;
  };

type Unadmitted = Pick<UnadmittedRequest<typeof endpoint>, 'credential' | 'readParts'>;

/**
 * Makes a send request from kept content. A caller may only read its own content, so it's admitted here. A refusal
 * becomes the request's fault, which the send's admission reports once the request has been counted.
 */
export async function readResend(
  request: Unadmitted,
  resending: Resending,
): Promise<ParsedSendRequest> {
  try {
    return await requestOf(request, resending);
  } catch (error) {
    // The send would only read the key again.
    if (!(error instanceof ServiceError) || error.code === 'invalid_api_key') throw error;
    return { ok: false, error };
  }
}

async function requestOf(
  { credential, readParts }: Unadmitted,
  resending: Resending,
): Promise<ParsedSendRequest> {
  const caller = await admitCaller(credential, resending);
  requireScope(caller.apiKey, 'send_email');
  const { path, body, headers } = readParts();
  const to = body.to?.map(({ address }) => address);
  if (to !== undefined) {
    requireScope(caller.apiKey, 'read_content');
    requireShownKey(caller.session, resending.now());
  }

  const { organizationId, actor } = caller;
  const kept = await readSendContent(organizationId, path.id, resending);
  const files = await readSendFiles(kept, resending);
  if (to !== undefined) {
    // Someone else gets to read the content, so the audit entry comes first.
    await limitChanges(caller, resending);
    const change = { action: 'email.content_read', target: path.id, after: { resent: true } };
    const entry = newAuditEntry(organizationId, actor, change, resending.now());
    await resending.audit.append(entry);
  }
  const parsed = parseSendRequest(bodyOf(kept, files, to), headers['idempotency-key']);
  return parsed.ok ? { ok: true, value: { ...parsed.value, resendOf: path.id } } : parsed;
}

const bodyOf = (
  { send, content }: SendContent,
  files: readonly string[],
  to: readonly string[] | undefined,
) => ({
  from: fromOf(send),
  ...(to === undefined ? { to: toOf(send), cc: send.cc, bcc: send.bcc } : { to }),
  subject: content.subject,
  ...(content.content !== undefined && { content: content.content }),
  ...(content.htmlContent !== undefined && { htmlContent: content.htmlContent }),
  attachments: content.attachments.map(({ size: _, ...attachment }, index) => ({
    ...attachment,
    contentBase64: files[index],
  })),
  policyKey: send.policyKey,
  ...optionsOf(send),
  ...(send.headers && { headers: withoutSetHeaders(send.headers) }),
});
