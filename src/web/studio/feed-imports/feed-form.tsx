import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { maxFeedFileLength } from '#domain/studio/feed-imports/rules.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Note } from '../../ui/note.tsx';
import { FileButton } from '../../workshop/forms/file-button.tsx';
import { Form } from '../../workshop/form.tsx';
import { Pane } from '../../workshop/pane.tsx';
import { ProgressBar } from '../uploads/upload-part.tsx';
import { sendArchive } from './send-archive.ts';

const addressStart = 'https://';

type FeedFormProps = {
  voiceId: string;
  /** Address of the feed that could not be read. */
  url: string;
  failure: string | undefined;
};

/** The address of a feed, or the feed as a file. */
export function FeedForm({ voiceId, url: former, failure }: FeedFormProps) {
  const { revalidate } = useRevalidator();
  const [url, setUrl] = useState(former);
  const [fault, setFault] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  /** Percent of an archive that has arrived. */
  const [sent, setSent] = useState<number>();
  const leave = useRef(new AbortController());
  useEffect(() => () => leave.current.abort(), []);

  async function startArchive(file: File): Promise<void> {
    setFault(undefined);
    setSent(0);
    const answer = await sendArchive(file, voiceId, { signal: leave.current.signal, onProgress: setSent });
    if (answer.ok) await revalidate();
    else setFault(answer.message ?? t`The archive did not arrive. Choose it again.`);
    setSent(undefined);
  }

  async function start(json: { url: string } | { feed: string }): Promise<void> {
    setIsBusy(true);
    setFault(undefined);
    const answer = await answerOf(api.studio.voices[':id']['feed-imports'].$post({ param: { id: voiceId }, json }));
    if (answer.ok) await revalidate();
    else setFault(answer.code === 'request/invalid' ? wrongAddress() : answer.message);
    setIsBusy(false);
  }

  async function startFile(file: File): Promise<void> {
    if (/\.zip$/i.test(file.name)) return startArchive(file);
    if (file.size > maxFeedFileLength) return setFault(t`This file is too large for a feed. Use its address.`);
    await start({ feed: await file.text() });
  }

  return (
    <div className="main-and-aside">
      <Pane title={t`Your feed`}>
        {(fault ?? failure) !== undefined && (
          <Note tone="error" className="mb-4">
            {fault ?? failure}
          </Note>
        )}
        <Form onSubmit={() => void (isAddress(url) ? start({ url: url.trim() }) : setFault(wrongAddress()))}>
          <Field
            label={t`Address of the feed`}
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder={addressStart}
            value={url}
            hint={t`RSS, Atom or JSON Feed. Nothing is imported before you have seen the plan.`}
            onChange={({ target }) => setUrl(target.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={isBusy ? t`Reading the feed…` : undefined}>
              <Trans>Read the feed</Trans>
            </Button>
            <FileButton
              variant="ghost"
              accept=".xml,.rss,.atom,.json,.zip"
              disabled={sent !== undefined}
              onFiles={([file]) => void startFile(file)}
            >
              {t`Choose a file instead`}
            </FileButton>
          </div>
          <p className="hint">
            <Trans>A file is a feed, or the archive (ZIP) of your creator page at another site like this one.</Trans>
          </p>
          {sent !== undefined && (
            <>
              <ProgressBar label={t`Archive`} percent={sent} />
              <p className="text-13 text-muted">
                <Trans>Keep this page open until the archive has arrived.</Trans>
              </p>
            </>
          )}
        </Form>
      </Pane>
      <aside className="stack">
        <Pane title={t`What comes along`}>
          <ul className="text-14 grid gap-2">
            {[
              t`Titles and descriptions`,
              t`Dates and episode numbers`,
              t`Covers and sound`,
              t`Chapters, and transcripts with times`,
              t`GUIDs, by which podcast apps know the episodes`,
              t`Old addresses, if your domain moves here`,
            ].map((text) => (
              <li key={text} className="flex gap-2">
                <Icon of={CircleCheck} size={18} className="tone-ok" />
                {text}
              </li>
            ))}
          </ul>
        </Pane>
      </aside>
    </div>
  );
}

const isAddress = (text: string) => /^https?:\/\/\S+$/i.test(text.trim()) && URL.canParse(text.trim());

const wrongAddress = () => t`Enter the whole address of the feed, such as https://example.org/feed.xml`;

/** The code that was mailed to the owner whom the feed names. */
export function OwnerCode({ id, ownerHint }: { id: string; ownerHint: string }) {
  const { revalidate } = useRevalidator();
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function confirm(): Promise<void> {
    setIsBusy(true);
    const answer = await answerOf(
      api.studio['feed-imports'][':id'].confirm.$post({ param: { id }, json: { code: code.trim() } }),
    );
    setFault(answer.ok ? undefined : answer.message);
    if (answer.ok || answer.code !== 'import/wrong-code') await revalidate();
    setIsBusy(false);
  }

  return (
    <Pane title={t`Is this feed yours?`} className="max-w-[560px]">
      <p className="text-14 mb-3.5 text-muted">
        <Trans>
          We sent a code to the owner’s address that the feed names, {ownerHint}. Enter it here within a day. Nothing is
          imported without it.
        </Trans>
      </p>
      <Form onSubmit={() => void confirm()}>
        <Field
          label={t`Code`}
          value={code}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          error={fault}
          onChange={({ target }) => {
            setCode(target.value);
            setFault(undefined);
          }}
        />
        <Button
          type="submit"
          variant="primary"
          disabled={code.trim() === ''}
          busy={isBusy ? t`Checking the code…` : undefined}
        >
          <Trans>Confirm</Trans>
        </Button>
      </Form>
    </Pane>
  );
}
