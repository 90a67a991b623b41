import { html } from './html.ts';
import { layOutPage } from './page-layout.ts';

/** For a failure of ours; what the person wanted has not been done. */
export const errorPage = (): string =>
  layOutPage({
    title: 'Something went wrong',
    content: html`<h1>Something went wrong</h1>
<p>Nothing was changed. Please try again in a moment.</p>`,
  });
