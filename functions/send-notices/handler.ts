import { serveSchedule } from '#shared/endpoints/serve-background';
import { openMailing } from '#shared/sending/sending';
import { lambda } from './function.ts';
import { sendNotices } from './send-notices.ts';

/** `admit-service-email.ts` ensures that. */
const neverKept = async () => {
  throw new Error('A notice is not kept');
};

export const handler = serveSchedule(
  lambda,
  (_, environment) => ({
    ...openMailing(environment),
    keptContents: { put: neverKept },
    noticeFromEmail: environment.NOTICE_FROM_EMAIL,
  }),
  sendNotices,
);
