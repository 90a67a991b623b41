import { html } from './html.ts';
import { layOutPage } from './page-layout.ts';

/** For a failure of ours. What the person wanted may be done or not; asking again does no harm. */
export const errorPage = (): string =>
  layOutPage({
    title: 'Something went wrong',
    content: html`<h1>Something went wrong</h1>
<p>We could not finish that. Please try again in a moment.</p>`,
  });
