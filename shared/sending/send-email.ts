import type { ServiceError } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';
import {
  type Admission,
  type AdmissionDependencies,
  type AdmissionObserver,
  admit,
} from './admission.ts';
import type { Claim, ClaimOutcome } from './claim-store.ts';
import { type HandOverDependencies, handOver } from './hand-over.ts';
import { fingerprintOf, type IdempotencyRecord, judgeRecord } from './idempotency.ts';
import { type ClaimSettings, newClaim } from './new-claim.ts';
import { type Send, type SendEndpoint, type SendResponse, sendResponseOf } from './send.ts';
import { inProgress, keyReused } from './send-refusals.ts';
import type { ParsedSendRequest } from './send-request.ts';
import type { Settlement } from './settlement-store.ts';
import { writeEmail } from './write-email.ts';

export type SendCommand = AdmissionObserver & {
  readonly endpoint: SendEndpoint;
  /** The API key as presented, if any. */
  readonly credential: string | undefined;
  readonly request: ParsedSendRequest;
  readonly log: RequestLog;
};

export type SendResult = { readonly response: SendResponse; readonly replayed: boolean };

export type SendDependencies = AdmissionDependencies &
  ClaimSettings &
  HandOverDependencies & {
    readonly keyring: () => Promise<Keyring>;
    readonly claim: (claim: Claim) => Promise<ClaimOutcome>;
    /** What the key was used for. Asked only for a request of which no email can be made. */
    readonly findIdempotencyRecord: (
      organizationId: OrganizationId,
      key: string,
      now: number,
    ) => Promise<IdempotencyRecord | undefined>;
    readonly commitSuppression: (send: Send, now: number) => Promise<Settlement>;
  };

/**
 * Sends one email, exactly once per idempotency key.
 *
 * Order of effects: claim the key and store the send, hand the email to SES, commit the outcome. A
 * process that dies in between leaves the send `sending` under a lease that lasts for the doubt
 * window. SES's own Send event, which names the send, repairs it meanwhile. When the lease has run
 * out and no such event has come, SES never took the email: a retry sends it under the same id.
 *
 * @throws ServiceError for every answer but 200.
 */
export async function sendEmail(
  command: SendCommand,
  dependencies: SendDependencies,
): Promise<SendResult> {
  const { endpoint, log } = command;
  const now = dependencies.now();
  const [admitted, keyring] = await Promise.all([
    admit(command.credential, command.request, now, dependencies, command),
    dependencies.keyring(),
  ]);
  log.bind({ organizationId: admitted.organization.id });
  const written = await writeEmail(admitted);
  if (!written.ok) return replayOrRefuse(endpoint, admitted, written.error, dependencies);

  const admission = { ...admitted, request: written.request };
  const wanted = newClaim(endpoint, admission, now, dependencies);
  const claimed = await dependencies.claim(wanted);
  if (claimed.kind !== 'claimed') return answerUsedKey(claimed, now);

  const { send } = claimed;
  log.bind({ sendId: send.id });
  const response = admission.recipients.isToSuppressed
    ? await suppress(send, dependencies)
    : await handOver({ admission, keyring, claim: { ...wanted, send }, log }, dependencies);
  return { response, replayed: false };
}

function answerUsedKey(
  verdict: Exclude<ClaimOutcome, { kind: 'claimed' }>,
  now: number,
): SendResult {
  switch (verdict.kind) {
    case 'replay':
      return { response: verdict.response, replayed: true };
    case 'in_progress':
      throw inProgress(verdict.retryAt, now);
    case 'key_reused':
      throw keyReused();
  }
}

/**
 * A retry is answered as the first time, even when the template was edited or deleted since, so that
 * no email can be made of it any more. Else the fault is the answer.
 */
async function replayOrRefuse(
  endpoint: SendEndpoint,
  { request, organization }: Admission,
  fault: ServiceError,
  { now, findIdempotencyRecord }: SendDependencies,
): Promise<SendResult> {
  const { idempotencyKey } = request;
  if (idempotencyKey === undefined) throw fault;
  const at = now();
  const record = await findIdempotencyRecord(organization.id, idempotencyKey, at);
  const verdict = record && judgeRecord(record, fingerprintOf(endpoint, request), at);
  if (verdict === undefined || verdict.kind === 'take_over') throw fault;
  return answerUsedKey(verdict, at);
}

async function suppress(send: Send, dependencies: SendDependencies): Promise<SendResponse> {
  const now = dependencies.now();
  const settlement = await dependencies.commitSuppression(send, now);
  // Only an earlier attempt's late acceptance can have been faster: the next retry replays it.
  if (settlement !== 'settled') throw inProgress(now, now);
  return sendResponseOf(send, 'suppressed');
}
