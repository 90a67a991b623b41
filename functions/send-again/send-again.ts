import * as z from 'zod/mini';
import { admitCaller } from '#shared/access/admit-caller';
import { limitChanges } from '#shared/access/limit-day';
import { requireScope, resendingScopes } from '#shared/access/scopes';
import { requireShownKey } from '#shared/access/sign-in';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { appendAuditEntry } from '#shared/audit/audit-store';
import { sendingEnvironment } from '#shared/config/environment';
import { defineEndpoint, type Service, type UnadmittedRequest } from '#shared/endpoints/endpoint';
import { sendPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import {
  type ContentReading,
  readSendContent,
  readSendFiles,
  type SendContent,
} from '#shared/send-history/send-content';
import { linkSentAgain } from '#shared/send-history/sent-again-store';
import { answerSend } from '#shared/sending/answer-send';
import { toAddresses, withoutSetHeaders } from '#shared/sending/request/send-fields';
import { type ParsedSendRequest, parseSendRequest } from '#shared/sending/request/send-request';
import { sendWords } from '#shared/sending/request/send-words';
import { fromOf, toOf } from '#shared/sending/send';
import { sendDeclaration } from '#shared/sending/send-declaration';
import { optionsOf } from '#shared/sending/send-options';
import { openSending } from '#shared/sending/sending';
import { exampleIds } from '#shared/tokens/example-values';

// Without uploads, and without a share of the sending programs' concurrency.
const {
  attachmentsBucket: _,
  reservation: __,
  sendsTestEmail: ___,
  ...lambda
} = sendDeclaration.lambda;

export type SendingAgain = Service & ContentReading;

type Unadmitted = Pick<
  UnadmittedRequest<typeof declaration>,
  'credential' | 'context' | 'readParts'
>;

const declaration = defineEndpoint({
  ...sendDeclaration,
  // No test keys: kept content is real.
  access: { key: 'required', scope: resendingScopes, freshSession: ['to'] },
  route: 'POST /api/v1/sends/{id}/resend',
  ...sendPath,
  body: z.strictObject({ to: z.optional(toAddresses) }),
  isBodyOptional: true,
  // Only counted if `to` is given.
  isLimited: true,
  errors: ['content_not_kept', 'attachments_not_kept', ...sendDeclaration.errors],
  admitsInOperation: true,
  uses: openSending,
  lambda: {
    ...lambda,
    stack: 'Recipients',
    environment: sendingEnvironment,
    writesAudit: true,
    contents: { kept: ['Get', 'Put'] },
  },
  words: {
    section: 'Sends',
    summary: 'Send an email again',
    description: `Sends the kept content of an email as a new send, with its own ID, idempotency key, limits, suppressions and tracking. Sender, recipients, policy and options are copied; policy and suppressions apply as they are now. The new send has \`resendOf\`, the first one \`resentAs\`.

With \`to\`, the email goes to someone else instead of its recipients. That shows them the content, so the key also needs the scope \`read_content\`, and the audit records it.

The content must be kept (\`keepContentDays\`), with its attachments: \`attachmentsKept\` of \`GET /api/v1/sends/{id}/content\` says whether they were stored.`,
    fields: {
      status: sendWords.fields.status,
      messageId: sendWords.fields.messageId,
      to: 'Who gets it instead of the original `to`, `cc` and `bcc`: one address, or several as a list.',
    },
    example: {
      path: { id: exampleIds.send },
      headers: { 'idempotency-key': 'welcome-ann-again' },
      body: {},
    },
  },
});

export const endpoint = defineEndpoint(declaration, async (unadmitted, capability) => {
  const request = await readRequest(unadmitted, capability);
  // It never goes out later, so it's never stored as a body.
  const email = { request, body: undefined, scopes: resendingScopes };
  const answer = await answerSend('send', email, unadmitted, capability);
  if (request.ok) {
    await linkSentAgain(capability.table, request.value, answer.body.sendId, unadmitted.log);
  }
  return answer;
});

/**
 * Makes a send request from kept content. A caller may only read its own content, so it's admitted here. A refusal
 * becomes the request's fault, which the send's admission reports once the request has been counted.
 */
async function readRequest(
  request: Unadmitted,
  capability: SendingAgain,
): Promise<ParsedSendRequest> {
  try {
    return await requestOf(request, capability);
  } catch (error) {
    // The send would only read the key again.
    if (!(error instanceof ServiceError) || error.code === 'invalid_api_key') throw error;
    return { ok: false, error };
  }
}

async function requestOf(
  request: Unadmitted,
  capability: SendingAgain,
): Promise<ParsedSendRequest> {
  const caller = await admitCaller(request, capability);
  requireScope(caller.apiKey, ...resendingScopes);
  const { path, body, headers } = request.readParts();
  const to = body.to?.map(({ address }) => address);
  if (to !== undefined) {
    requireScope(caller.apiKey, 'read_content');
    requireShownKey(caller, capability.now());
  }

  const { organizationId, actor } = caller;
  const kept = await readSendContent(organizationId, path.id, capability);
  const files = await readSendFiles(kept, capability);
  if (to !== undefined) {
    // Someone else gets to read the content, so the audit entry comes first.
    await limitChanges(caller, capability.now(), capability);
    const change = { action: 'email.content_read', target: path.id, after: { resent: true } };
    const entry = newAuditEntry(organizationId, actor, change, capability.now());
    await appendAuditEntry(capability.table, entry);
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
