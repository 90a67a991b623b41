import type { ErrorCode } from '#shared/errors/errors';
import type { SendRequest } from '#shared/sending/request/send-request';
import type { Send, SendResponse } from '#shared/sending/send';
import type { FeedbackId } from '#shared/tokens/resource-id';
import type { FaultKind } from './faults.ts';
import type { Sandbox } from './sandbox.ts';

/** A message that SES took: the truth that the service has to find out. */
export type Taken = {
  /** `m1`, `m2`, … in the order in which SES took them. */
  readonly messageId: string;
  readonly feedbackId: FeedbackId;
  readonly subject: string;
  /** The process that handed it over. */
  readonly sandbox: Sandbox;
  readonly to: string;
  /** Everyone who got it: `to`, cc and bcc. */
  readonly recipients: readonly string[];
  readonly at: number;
  /** The end of its attempt's lease. */
  readonly leaseEnd: number;
  /** SES rejects its content afterwards: nobody gets it. */
  readonly isRejected: boolean;
  /** For a test email, which SES never gets: what is in the queue of test events. */
  readonly testEvents?: readonly object[];
};

export type MailEventType = 'Send' | 'Delivery' | 'Bounce' | 'Complaint' | 'Reject';

/** One time that the service got an event and didn't fail. */
export type Recording = {
  readonly kind: 'recorded' | 'ignored';
  readonly startedAt: number;
  readonly at: number;
};

/** An event of SES about a message. */
export type MailReport = {
  readonly taken: Taken;
  readonly type: MailEventType;
  /** As SES publishes it. */
  readonly event: object;
  /** Otherwise the service can't read it, however often it is delivered. */
  readonly isReadable: boolean;
  /** Why it forbids further emails to the address, if it does. */
  readonly suppresses: 'bounce' | 'complaint' | undefined;
  readonly recordings: Recording[];
};

/** Somebody fetched a message's pixel. */
export type PixelHit = {
  readonly taken: Taken;
  readonly isMachine: boolean;
  readonly at: number;
  readonly isRecorded: boolean;
};

/** An attempt began. */
export type ClaimMade = {
  readonly feedbackId: FeedbackId;
  readonly claimId: string;
  readonly attempt: number;
  readonly leaseExpiresAt: number;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** Whether it only waits for a worker, and doesn't call SES. */
  readonly isPlan: boolean;
  readonly sandbox: Sandbox | undefined;
  readonly at: number;
};

/**
 * A change of a send that webhooks report: `suppressed`, `failed`, `canceled`, or `failed m1` of a rejected message.
 */
export type Ending = {
  readonly feedbackId: FeedbackId;
  readonly attempt: number;
  readonly what: string;
  /** When the reports expire: epoch seconds. */
  readonly expiresAt: number;
};

/** A request's answer, even if its client no longer waited. */
export type Answer = {
  readonly sandbox: Sandbox;
  readonly request: SendRequest;
  readonly at: number;
} & (
  | { readonly kind: 'ok'; readonly response: SendResponse; readonly replayed: boolean }
  | {
      readonly kind: 'error';
      readonly code: ErrorCode;
      readonly retryAfterMs: number | undefined;
    }
);

export type Violation = {
  readonly rule: string;
  readonly detail: string;
  /** Happens by design when SES's events arrive after the doubt window. */
  readonly isLate: boolean;
};

/** Everything that happened in one schedule. */
export type Ledger = {
  /** The last state of each send. */
  readonly sends: Map<FeedbackId, Send>;
  readonly claims: ClaimMade[];
  readonly endings: Ending[];
  /** Processes that recorded that their attempt sent nothing, so its send has failed or is held. */
  readonly failed: Map<Sandbox, 'failed' | 'held'>;
  /** Sends that are, or were, known to be sent before their message was known. */
  readonly proven: Set<FeedbackId>;
  /** When a process last read what it decides by: organization, suppressions, limits. */
  readonly readAt: Map<Sandbox, number>;
  readonly taken: Taken[];
  readonly reports: MailReport[];
  readonly hits: PixelHit[];
  readonly answers: Answer[];
  /** Sends that were reported as canceled. */
  readonly canceled: Set<FeedbackId>;
  /** Whether a message to the workers was lost for good: then contents are left to the bucket's lifecycle. */
  hasLostMessages: boolean;
  /** What is in the bucket. */
  readonly contents: Map<string, string>;
  /**
   * What was deleted from it, and when first. A late copy of a request may recreate it: that is left to the lifecycle.
   */
  readonly deletedContents: Map<string, number>;
  readonly violations: Violation[];
  readonly faults: Map<FaultKind, number>;
  takeovers: number;
  tableCalls: number;
  sesCalls: number;
  countFault(kind: FaultKind): void;
  violate(rule: string, detail: string, isLate?: boolean): void;
};

export function openLedger(tell: (who: string, what: string) => void): Ledger {
  const violations: Violation[] = [];
  const faults = new Map<FaultKind, number>();
  return {
    sends: new Map(),
    claims: [],
    endings: [],
    failed: new Map(),
    proven: new Set(),
    readAt: new Map(),
    taken: [],
    reports: [],
    hits: [],
    answers: [],
    canceled: new Set(),
    hasLostMessages: false,
    contents: new Map(),
    deletedContents: new Map(),
    violations,
    faults,
    takeovers: 0,
    tableCalls: 0,
    sesCalls: 0,
    countFault: (kind) => faults.set(kind, (faults.get(kind) ?? 0) + 1),
    violate: (rule, detail, isLate = false) => {
      violations.push({ rule, detail, isLate });
      tell('VIOLATION', `${rule}: ${detail}`);
    },
  };
}

/** The messages of a send that really were sent. */
export const sentOut = (ledger: Ledger, feedbackId: FeedbackId): Taken[] =>
  ledger.taken.filter((taken) => taken.feedbackId === feedbackId && !taken.isRejected);

/** Whether what was written for a message's own attempt has expired. A later attempt lives longer. */
export const isForgotten = ({ claims }: Ledger, { sandbox }: Taken, now: number): boolean =>
  claims.some((claim) => claim.sandbox === sandbox && claim.expiresAt * 1000 <= now);

/** Reports where two lists differ, whatever their order. */
export function compare(
  rule: string,
  actual: readonly string[],
  expected: readonly string[],
  ledger: Ledger,
): void {
  const [found, due] = [actual.toSorted().join(', '), expected.toSorted().join(', ')];
  if (found !== due) ledger.violate(rule, `[${found}] instead of [${due}]`);
}
