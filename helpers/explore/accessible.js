// What core ipywidgets leave out: a name and a spoken value for the handle of a slider, the state of a toggle button,
// and that the sentence is read out when it changes. Without this script an explorer works, and says less.
(() => {
  const set = (element, name, value) => {
    if (value && element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  const complete = (explorer) => {
    for (const slider of explorer.querySelectorAll('.widget-slider')) {
      const handle = slider.querySelector('.noUi-handle');
      if (!handle) continue;
      set(handle, 'aria-label', slider.querySelector('.widget-label')?.textContent);
      set(handle, 'aria-valuetext', slider.querySelector('.widget-readout')?.textContent);
      set(handle, 'aria-disabled', slider.querySelector('[disabled]') ? 'true' : 'false');
    }
    for (const group of explorer.querySelectorAll('.widget-toggle-buttons')) {
      set(group, 'role', 'group');
      set(group, 'aria-label', group.querySelector('.widget-label')?.textContent);
      for (const button of group.querySelectorAll('button')) {
        set(button, 'aria-pressed', String(button.classList.contains('mod-active')));
      }
    }
    for (const sentence of explorer.querySelectorAll('.attention-sentence')) set(sentence, 'aria-live', 'polite');
  };
  const seek = (tries) => {
    for (const explorer of document.querySelectorAll('.attention-explorer:not([data-completed])')) {
      explorer.dataset.completed = 'true';
      complete(explorer);
      const changes = { subtree: true, childList: true, characterData: true, attributeFilter: ['class', 'disabled'] };
      new MutationObserver(() => complete(explorer)).observe(explorer, changes);
    }
    if (tries) setTimeout(seek, 200, tries - 1);
  };
  seek(150); // for 30 seconds: the controls are drawn a moment after this runs
})();
