import type { Endpoint } from '#shared/endpoints/endpoint';
import { serverOf, unadmittedServerOf } from '#shared/endpoints/serve';
import { renderEmailError, renderResendError } from './resend-error.ts';

type ResendEndpoint = Endpoint & { readonly errorForm: 'resend' };

/** As `serve`, with Resend's errors. */
export const serveResend = /* @__PURE__ */ serverOf<ResendEndpoint>(renderResendError);

/** As `serveUnadmitted`, with Resend's errors. What is served so is about an email. */
export const serveResendEmail =
  /* @__PURE__ */ unadmittedServerOf<ResendEndpoint>(renderEmailError);
