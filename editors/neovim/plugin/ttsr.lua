-- The commands of the plugin, and the suffix of its files. Loaded at start, so it does nothing else.

if vim.g.loaded_ttsr then
  return
end
vim.g.loaded_ttsr = true

-- The other suffix of rule files, which Neovim does not know.
vim.filetype.add({ extension = { mdc = 'markdown' } })

vim.api.nvim_create_user_command('TtsrTest', function(command)
  require('ttsr').test(command.line1, command.line2)
end, { range = '%', desc = 'Try the rules on the selected lines' })

vim.api.nvim_create_user_command('TtsrClearTriggers', function()
  require('ttsr').clear_triggers()
end, { desc = 'Take the triggers of the last run away' })
