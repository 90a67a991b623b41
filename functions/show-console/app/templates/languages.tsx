import { useRef, useState } from 'preact/hooks';
import { canonicalLocale, localeChain } from '#shared/templates/language-tag';
import { announce } from '../shared/announce.tsx';
import { ConfirmButton } from '../shared/buttons.tsx';
import { languagesIn, ownLanguage, withLanguage, withoutLanguage } from './draft.ts';
import type { TypedTemplate } from './typed-template.ts';

/** The language to write in and to preview, as tabs. */
export function Languages({ typed }: { typed: TypedTemplate }) {
  const { draft, language, change } = typed;
  const languages = languagesIn(draft);
  const remove = async () => {
    change({ draft: withoutLanguage(draft, language), language: ownLanguage });
    announce(`${language} removed`);
  };
  return (
    <div class="languages">
      <fieldset class="segments">
        <legend class="visually-hidden">Language</legend>
        {[ownLanguage, ...languages].map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="language"
              checked={one === language}
              onChange={() => change({ language: one })}
            />
            {one === ownLanguage ? 'Default' : one}
          </label>
        ))}
      </fieldset>
      <AddLanguage typed={typed} />
      <p class="quiet">
        {wordsAbout(language, languages)}{' '}
        {language !== ownLanguage && (
          <ConfirmButton
            label={`Remove ${language}…`}
            question={`Remove ${language} from this template?`}
            yes="Remove"
            act={remove}
          >
            <p>It’s gone for emails once you publish.</p>
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
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const add = () => {
    const language = canonicalLocale(text.trim());
    if (language === undefined) {
      setFault('Write a language tag, such as de or de-AT.');
      input.current?.focus();
      return;
    }
    const isNew = !languagesIn(draft).includes(language);
    change({ language, ...(isNew && { draft: withLanguage(draft, language) }) });
    setText('');
    setFault(undefined);
    announce(`${language} added, with the default’s words`);
  };
  return (
    <div class="add">
      <input
        ref={input}
        type="text"
        aria-label="Language to add"
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={fault && 'language-fault'}
        placeholder="de-AT"
        size={8}
        value={text}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <button type="button" onClick={add}>
        Add language
      </button>
      {fault && (
        <span id="language-fault" class="fault">
          {fault}
        </span>
      )}
    </div>
  );
}
