import { html } from './html.ts';
import { layOutPage } from './page-layout.ts';

/** For a failure of ours. The request may have been carried out or not; repeating it does no harm. */
export const errorPage = (): string =>
  layOutPage({
    title: 'Something went wrong',
    content: html`<h1>Something went wrong</h1>
<p>We could not finish that. Please try again in a moment.</p>`,
  });

/** For an address that was used too often. It does not say whether anybody knows the address. */
export const tooManyRequestsPage = (): string =>
  layOutPage({
    title: 'Please try again later',
    content: html`<h1>Please try again later</h1>
<p>There were too many requests for this address. Please try again in an hour, or use the unsubscribe link in an email: it works at any time.</p>`,
  });

/** For a link that worked once. It does not say whether its sender is gone or was stopped. */
export const withdrawnLinkPage = (): string =>
  layOutPage({
    title: 'This link has been switched off',
    content: html`<h1>This link has been switched off</h1>
<p>The sender of the email is no longer here, or its links have been switched off. Opening the link again won’t help.</p>
<p>If you need what it led to, please ask the sender in another way.</p>`,
  });

/** For the unsubscribe and preferences links of an organization that was deleted. */
export const goneSenderPage = (): string =>
  layOutPage({
    title: 'You get no more email from this sender',
    content: html`<h1>You get no more email from this sender</h1>
<p>The sender of the email no longer uses this service, so it sends you nothing more from here. There is nothing left to unsubscribe from or to choose.</p>`,
  });

/** For a link that was altered or cut off, or that we never made. It does not say whom a link was for. */
export const linkNotValidPage = (): string =>
  layOutPage({
    title: 'This link does not work',
    content: html`<h1>This link does not work</h1>
<p>It may be incomplete: some email programs cut long links in two.</p>
<p>Please open it again from the email, or copy the whole link into your browser’s address bar. The link in a newer email works as well.</p>`,
  });
