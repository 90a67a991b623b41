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
  /** The whole address, which the page shows masked; absent for an erased person. */
  readonly email?: string | undefined;
  /**
   * Where to choose instead; absent for an erased person, who has no preferences, and for one whose link only
   * unsubscribes.
   */
  readonly preferencesUrl?: string | undefined;
};
export type UnsubscribePage = Recipient &
  ({ readonly state: 'confirm'; readonly form: PageForm } | { readonly state: 'done' });

/**
 * `confirm` asks and changes nothing, because link scanners and previews open every link of an email. `done` says that
 * the person is unsubscribed.
 */
export const unsubscribePage = (page: UnsubscribePage): string =>
  page.state === 'confirm' ? confirmPage(page, page.form) : donePage(page);

function confirmPage(recipient: Recipient, form: PageForm) {
  const { organizationName, email } = recipient;
  const content = html`<h1>Unsubscribe?</h1>
<p><b><bdi>${organizationName}</bdi></b> will stop sending newsletters and offers to <b><bdi>${addressOf(email)}</bdi></b>.</p>
${layOutForm(form, html`<button>Unsubscribe</button>`)}
${wayToChoose(recipient, 'Choose which emails to get instead')}
${essentialEmailsNote}`;
  return layOutPage({ title: 'Unsubscribe', organizationName, content });
}

function donePage(recipient: Recipient) {
  const { organizationName, email } = recipient;
  const content = html`${checkMark}
<h1>You are unsubscribed</h1>
<p><b><bdi>${organizationName}</bdi></b> won’t send any more newsletters or offers to <b><bdi>${addressOf(email)}</bdi></b>.</p>
${wayToChoose(recipient, 'Changed your mind? Choose which emails to get')}
${essentialEmailsNote}`;
  return layOutPage({ title: 'You are unsubscribed', organizationName, content });
}

const addressOf = (email: string | undefined): string =>
  email === undefined ? 'you' : maskAddress(email);

/** The link to the preferences; without one, the page says where to find it. */
function wayToChoose({ organizationName, email, preferencesUrl }: Recipient, text: string) {
  if (preferencesUrl !== undefined) {
    return html`<a class="onward" href="${preferencesUrl}">${text}</a>`;
  }
  if (email === undefined) return undefined;
  return html`<p>To choose which emails to get, use the “Email preferences” link at the end of a newsletter, or ask <bdi>${organizationName}</bdi>.</p>`;
}
