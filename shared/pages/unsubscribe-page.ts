import { html } from './html.ts';
import { layOutPage } from './page-layout.ts';
import {
  checkMark,
  essentialEmailsNote,
  layOutForm,
  maskAddress,
  type PageForm,
} from './page-parts.ts';

type Recipient = {
  readonly organizationName: string;
  /** The whole address, which the page shows masked; absent for a person who was erased. */
  readonly email?: string | undefined;
  /** Where to choose instead; absent for a person who was erased, who has no preferences. */
  readonly preferencesUrl?: string | undefined;
};
export type UnsubscribePage = Recipient &
  ({ readonly state: 'confirm'; readonly form: PageForm } | { readonly state: 'done' });

/**
 * `confirm` asks and changes nothing, since link scanners and previews open every link of an email;
 * `done` says that the person is unsubscribed.
 */
export const unsubscribePage = (page: UnsubscribePage): string =>
  page.state === 'confirm' ? confirmPage(page, page.form) : donePage(page);

function confirmPage({ organizationName, email, preferencesUrl }: Recipient, form: PageForm) {
  const content = html`<h1>Unsubscribe?</h1>
<p><b><bdi>${organizationName}</bdi></b> will stop sending newsletters and offers to <b><bdi>${addressOf(email)}</bdi></b>.</p>
${layOutForm(form, html`<button>Unsubscribe</button>`)}
${linkTo(preferencesUrl, 'Choose which emails to get instead')}
${essentialEmailsNote}`;
  return layOutPage({ title: 'Unsubscribe', organizationName, content });
}

function donePage({ organizationName, email, preferencesUrl }: Recipient) {
  const content = html`${checkMark}
<h1>You are unsubscribed</h1>
<p><b><bdi>${organizationName}</bdi></b> will send no more newsletters or offers to <b><bdi>${addressOf(email)}</bdi></b>.</p>
${linkTo(preferencesUrl, 'Changed your mind? Choose which emails to get')}
${essentialEmailsNote}`;
  return layOutPage({ title: 'You are unsubscribed', organizationName, content });
}

const addressOf = (email: string | undefined): string =>
  email === undefined ? 'you' : maskAddress(email);

const linkTo = (url: string | undefined, text: string) =>
  url === undefined ? undefined : html`<a class="onward" href="${url}">${text}</a>`;
