-- Plugin managers load a repository's own `plugin` folder. The Neovim plugin of this one is in `editors/neovim`.

local root = vim.fs.dirname(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)))
local plugin = vim.fs.joinpath(root, 'editors', 'neovim')

if not vim.tbl_contains(vim.opt.runtimepath:get(), plugin) then
  vim.opt.runtimepath:append(plugin)
end
vim.cmd.source({ args = { vim.fn.fnameescape(vim.fs.joinpath(plugin, 'plugin', 'ttsr.lua')) } })
