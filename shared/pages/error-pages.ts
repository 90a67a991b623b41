import { html } from './html.ts';
import { layOutPage } from './page-layout.ts';

/** A failure on our side. The request may have been carried out; repeating it does no harm. */
export const errorPage = (): string =>
  layOutPage({
    title: 'Something went wrong',
    content: html`<h1>Something went wrong</h1>
<p>Please try again in a moment.</p>`,
  });

/** An address was used too often. Doesn't reveal whether it is known. */
export const tooManyRequestsPage = (): string =>
  layOutPage({
    title: 'Please try again later',
    content: html`<h1>Please try again later</h1>
<p>There were too many requests for this address. Please try again in an hour, or use the unsubscribe link in an email, which always works.</p>`,
  });

/** A link that used to work. Doesn't reveal whether its sender is gone or was stopped. */
export const withdrawnLinkPage = (): string =>
  layOutPage({
    title: 'This link has been turned off',
    content: html`<h1>This link has been turned off</h1>
<p>The sender of the email no longer uses this service, or its links have been turned off. Opening the link again won’t help.</p>
<p>If you still need it, please contact the sender another way.</p>`,
  });

/** For the unsubscribe and preferences links of a deleted organization. */
export const goneSenderPage = (): string =>
  layOutPage({
    title: 'You won’t get any more email from this sender',
    content: html`<h1>You won’t get any more email from this sender</h1>
<p>The sender of the email no longer uses this service. There’s nothing left to unsubscribe from, and no preferences left to change.</p>`,
  });

/** A link that was altered or cut off, or isn't ours. Doesn't reveal whose it was. */
export const linkNotValidPage = (): string =>
  layOutPage({
    title: 'This link doesn’t work',
    content: html`<h1>This link doesn’t work</h1>
<p>It may be incomplete: some email programs break long links.</p>
<p>Please open it again from the email, or copy the whole link into your browser’s address bar. You can also use the link in a newer email.</p>`,
  });

type SignInRefusal = {
  readonly title: string;
  readonly detail: string;
  readonly requestId: string;
};

/** Somebody comes back from the identity provider, and isn't signed in. */
export const signInRefusedPage = ({ title, detail, requestId }: SignInRefusal): string =>
  layOutPage({
    title,
    content: html`<h1>${title}</h1>
<p>${detail}</p>
<p><a href="/console">Go to the sign-in page</a></p>
<p>If you ask somebody for help, give them this ID: <code>${requestId}</code></p>`,
  });
