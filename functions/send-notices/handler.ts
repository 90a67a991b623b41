import { noticeEnvironment, parseEnvironment } from '#shared/config/environment';
import { openConfirmationStore } from '#shared/notices/confirmation-store';
import { openDueNoticeStore } from '#shared/notices/due-notice-store';
import { openRequestLog } from '#shared/observability/request-log';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openMailing } from '#shared/sending/sending';
import { openTable } from '#shared/table/table-client';
import { eventSchema } from './schema.ts';
import { type NoticeSending, sendNotices } from './send-notices.ts';

const environment = parseEnvironment(noticeEnvironment);
const table = openTable(environment.TABLE_NAME);
const noAttachments = async () => {
  throw new Error('A notice has no attachments');
};
/** `admit-service-email.ts` sees to that. */
const neverKept = async () => {
  throw new Error('A notice is not kept');
};
const sending: NoticeSending = {
  ...openMailing(environment),
  fetchUpload: noAttachments,
  fetchFile: noAttachments,
  keepContent: neverKept,
  attachmentLimits: { maxCount: 0, maxTotalBytes: 0 },
  noticeFromEmail: environment.NOTICE_FROM_EMAIL,
  organizations: openOrganizationStore(table),
  dueNotices: openDueNoticeStore(table),
  confirmations: openConfirmationStore(table),
};

/** EventBridge Scheduler invokes the function directly, and IAM authorizes it. */
export const handler = async (
  event: unknown,
  context: { readonly awsRequestId: string },
): Promise<void> => {
  eventSchema.parse(event);
  await sendNotices(sending, openRequestLog({ requestId: context.awsRequestId }));
};
