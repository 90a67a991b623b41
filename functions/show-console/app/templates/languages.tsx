import { canonicalLocale, localeChain } from '#shared/templates/language-tag';
import { announce } from '../parts/announce.tsx';
import { ConfirmButton } from '../parts/buttons.tsx';
import { languagesIn, ownLanguage, withLanguage, withoutLanguage } from './draft.ts';
import { NameToAdd } from './name-to-add.tsx';
import { Segments } from './segments.tsx';
import type { TypedTemplate } from './typed-template.ts';

/** Tabs for the language to write and preview. */
export function Languages({ typed }: { typed: TypedTemplate }) {
  const { draft, language, change } = typed;
  const languages = languagesIn(draft);
  const remove = async () => {
    change({ draft: withoutLanguage(draft, language), language: ownLanguage });
    announce(`${language} removed`);
  };
  return (
    <div class="languages">
      <Segments
        legend="Language"
        name="language"
        options={[[ownLanguage, 'Default'], ...languages.map((one) => [one, one] as const)]}
        chosen={language}
        choose={(one) => change({ language: one })}
      />
      {typed.isWritable && <AddLanguage typed={typed} />}
      <p class="quiet">
        {typed.isWritable && wordsAbout(language, languages)}{' '}
        {language !== ownLanguage && typed.isWritable && (
          <ConfirmButton
            label={`Remove ${language}…`}
            question={`Remove ${language} from this template?`}
            yes="Remove"
            act={remove}
          >
            <p>Emails lose it once you publish.</p>
          </ConfirmButton>
        )}
      </p>
    </div>
  );
}

function wordsAbout(language: string, languages: readonly string[]): string {
  if (language === ownLanguage) {
    return languages.length === 0
      ? 'Add a language to translate this template. Emails choose it by their locale.'
      : 'For emails without a locale, and for locales that have no tab.';
  }
  const fallbacks = localeChain(language).filter((one) => languages.includes(one));
  return `${nameOf(language)}. Emails with the locale ${language} take the first of: ${[...fallbacks, 'default'].join(' → ')}.`;
}

function nameOf(language: string): string {
  return new Intl.DisplayNames(undefined, { type: 'language' }).of(language) ?? language;
}

function AddLanguage({ typed: { draft, change } }: { typed: TypedTemplate }) {
  const add = (text: string): string | undefined => {
    const language = canonicalLocale(text);
    if (language === undefined) return 'Write a language tag, such as de or de-AT.';
    const isNew = !languagesIn(draft).includes(language);
    change({ language, ...(isNew && { draft: withLanguage(draft, language) }) });
    announce(`${language} added, starting from the default’s text`);
    return undefined;
  };
  return (
    <NameToAdd
      id="template-language"
      label="Language to add"
      placeholder="de-AT"
      button="Add language"
      add={add}
    />
  );
}
