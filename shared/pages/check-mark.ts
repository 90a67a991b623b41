import { html } from './html.ts';

/** For the eye alone: the words beside it say the same. */
export const checkMark = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 12.5l4 4 8-9"/></svg>`;
