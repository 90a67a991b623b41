import { resendingScopes } from '#shared/access/scopes';
import { capability } from '#shared/aws/capability';
import { knowsRetention } from '#shared/aws/settings';
import { bucketEnvironment, sendQueueEnvironment } from '#shared/config/environment';
import { sendPath } from '#shared/endpoints/resource-paths';
import { openContentStore } from '#shared/stored-content/content-store';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { wakesSenders } from './send-queue.ts';

// Shared by the endpoints that cancel and move an email: ours and Resend's.

const planDeclaration = {
  access: { key: 'required', scope: 'send_email', takesTestKeys: true },
  ...sendPath,
  errors: ['send_not_waiting', 'concurrent_change'],
} as const;

export const cancelDeclaration = {
  ...planDeclaration,
  access: { ...planDeclaration.access, scope: resendingScopes },
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    writesAudit: true,
  },
} as const;

export const moveDeclaration = {
  ...planDeclaration,
  isLimited: true,
  lambda: { stack: 'Recipients', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
} as const;

const removesWaitingContents = /* @__PURE__ */ capability(
  { environment: bucketEnvironment, contents: { waiting: ['Delete'] } },
  openContentStore,
);

const knowsPatience = /* @__PURE__ */ capability(
  { environment: sendQueueEnvironment },
  ({ SEND_PATIENCE_SECONDS }) => SEND_PATIENCE_SECONDS * 1_000,
);

// Apart from the declarations: a bundle leaves out what it doesn't use.

export const usedToCancel = {
  contents: removesWaitingContents,
  wakeSenders: wakesSenders,
  wakeWebhooks: wakesWebhooks,
};

export const usedToMove = {
  wakeSenders: wakesSenders,
  wakeWebhooks: wakesWebhooks,
  patienceMs: knowsPatience,
  sendRetentionDays: knowsRetention,
};
