import { byKey, serverOf, unadmittedServerOf } from '#shared/endpoints/serve';
import { presentedCredential } from '#shared/http/credential';
import {
  emailAnswerOf,
  renderEmailError,
  renderResendError,
  resendAnswerOf,
} from './resend-error.ts';

/** `serve`, with Resend's errors. */
export const serveResend = /* @__PURE__ */ serverOf(
  /* @__PURE__ */ byKey(presentedCredential, resendAnswerOf),
  renderResendError,
);

/** `serveUnadmitted`, with Resend's errors. For endpoints about an email. */
export const serveResendEmail = /* @__PURE__ */ unadmittedServerOf(
  renderEmailError,
  presentedCredential,
  emailAnswerOf,
);
