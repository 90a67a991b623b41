import { neverSlow } from '#shared/attachments/slow-fetches';
import { serveSchedule } from '#shared/endpoints/serve-background';
import { openMailing } from '#shared/sending/sending';
import { lambda } from './function.ts';
import { sendNotices } from './send-notices.ts';

const noAttachments = async () => {
  throw new Error('A notice has no attachments');
};
/** `admit-service-email.ts` ensures that. */
const neverKept = async () => {
  throw new Error('A notice is not kept');
};

export const handler = serveSchedule(
  lambda,
  (table, environment) => ({
    ...openMailing(table, environment),
    fetchUpload: noAttachments,
    fetchFile: noAttachments,
    slowFetches: neverSlow,
    keepContent: neverKept,
    attachmentLimits: { maxCount: 0, maxTotalBytes: 0 },
    noticeFromEmail: environment.NOTICE_FROM_EMAIL,
  }),
  sendNotices,
);
