import { html } from './html.ts';

/** What unsubscribing does not stop: emails of a transactional policy. */
export const essentialEmailsNote = html`<p class="quiet">You may still get emails about things you do, such as receipts and password resets.</p>`;
