-- The command of the lens with the number of matches: lists the places in the quickfix list.

local message = require('ttsr.message')
local quickfix = require('ttsr.quickfix')
local server = require('ttsr.server')

local M = {}

---Lists the places in the workspace that the rule in the current buffer matches.
function M.show()
  local buf = vim.api.nvim_get_current_buf()
  server.with_client(buf, function(client)
    client:request('ttsr/ruleMatches', { uri = vim.uri_from_bufnr(buf) }, function(failure, result)
      if failure ~= nil or #result.places == 0 then
        local reason = failure and failure.message or 'no place in the workspace is known that matches this rule'
        return message.say(reason)
      end
      local title = ('TTSR: the rule matches %s'):format(message.counted(result.matches, 'place'))
      local items = vim.lsp.util.locations_to_items(result.places, client.offset_encoding)
      quickfix.set(title, items, 'ttsr.matches')
      quickfix.open()
    end)
  end)
end

return M
