import { useEffect, useState, useSyncExternalStore } from 'react';
import type { EditedAudio } from '#domain/studio/audios/audio-values.ts';
import { answerOf, api } from '../../api.ts';
import { useAskBeforeLeaving } from '../../workshop/forms/use-ask-before-leaving.ts';
import {
  createAudioEditor,
  type AudioEditor,
  type EditorCalls,
  type EditorSnapshot,
  type UnsavedChanges,
} from './audio-editor.ts';
import { openDeviceRecord } from '../device-record.ts';

/** The editor of an audio for the life of its page. */
export function useAudioEditor(first: EditedAudio): EditorSnapshot & { editor: AudioEditor } {
  const [editor] = useState(() => {
    const unsaved = openDeviceRecord<UnsavedChanges>(`sotto_unsaved_audio_${first.id}`);
    return createAudioEditor({ first, calls: callsOf(first.id), unsaved });
  });
  const snapshot = useSyncExternalStore(editor.subscribe, editor.getSnapshot, editor.getSnapshot);
  useAskBeforeLeaving(snapshot.isUnsaved);
  useEffect(() => {
    void editor.resume();
    // Others may have changed it while this tab was in the background.
    const onVisibility = () => (document.visibilityState === 'visible' ? editor.refresh() : editor.save());
    const onOnline = () => void editor.save();
    const listener = () => void onVisibility();
    document.addEventListener('visibilitychange', listener);
    window.addEventListener('online', onOnline);
    return () => {
      document.removeEventListener('visibilitychange', listener);
      window.removeEventListener('online', onOnline);
      editor.stop();
    };
  }, [editor]);
  return { ...snapshot, editor };
}

function callsOf(id: string): EditorCalls {
  const param = { id };
  const audio = api.studio.audios[':id'];
  return {
    save: (json) => answerOf(audio.$patch({ param, json })),
    load: () => answerOf(audio.$get({ param })),
    publish: (version) => answerOf(audio.changes.publish.$post({ param, json: { version } })),
    discard: (version) => answerOf(audio.changes.discard.$post({ param, json: { version } })),
    setCover: (json) => answerOf(audio.cover.$put({ param, json })),
  };
}
