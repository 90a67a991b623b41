import { html } from './html.ts';
import { layOutPage } from './page-layout.ts';

/** For a link that was altered, cut off or never ours; it says nothing of who the link was for. */
export const linkNotValidPage = (): string =>
  layOutPage({
    title: 'This link does not work',
    content: html`<h1>This link does not work</h1>
<p>It may be incomplete: some email programs cut long links in two.</p>
<p>Please open it again from the email, or copy the whole link into your browser’s address bar. The link in a newer email works as well.</p>`,
  });
